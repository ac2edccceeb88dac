import type { ComponentChildren } from 'preact';

type DialogLinkProps = { href: string; class?: string; children: ComponentChildren };

/** Links to a confirmation page, which scripts open as a dialog. */
export function DialogLink({
  href,
  class: className = 'button button-quiet',
  children,
}: DialogLinkProps) {
  return (
    <a class={className} href={href} data-dialog>
      {children}
    </a>
  );
}

type DialogProps = {
  title: string;
  children: ComponentChildren;
  /** Level of the heading. Samples have level 3. */
  level?: 1 | 3;
};

/** Renders a dialog, which without scripts is a separate page. */
export function Dialog({ title, children, level = 1 }: DialogProps) {
  const Title = `h${level}` as const;
  return (
    <section class="dialog" data-dialog-content aria-labelledby="dialog-title">
      <Title id="dialog-title">{title}</Title>
      {children}
    </section>
  );
}
