import type { ComponentChildren } from 'preact';

type DialogLinkProps = { href: string; class?: string; children: ComponentChildren };

/** Leads to a page that asks something; with scripts the question opens above this one. */
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
  /** The page's own heading; a sample among others has one below it. */
  level?: 1 | 3;
};

/** A dialog; without scripts, a separate page. */
export function Dialog({ title, children, level = 1 }: DialogProps) {
  const Title = `h${level}` as const;
  return (
    <section class="dialog" data-dialog-content aria-labelledby="dialog-title">
      <Title id="dialog-title">{title}</Title>
      {children}
    </section>
  );
}
