import type { ComponentChildren } from 'preact';
import type { Lang } from '../model.ts';
import { componentTexts } from './texts.ts';

/** Tone of a state. Always combined with words, never color alone. */
export type Tone = 'good' | 'wait' | 'bad' | 'calm';

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

type NoticeProps = {
  tone: Tone;
  title?: string;
  /** Its first paragraph. */
  text?: ComponentChildren;
  children?: ComponentChildren;
};

/** Renders a notice above the page. Screen readers announce failures at once. */
export function Notice({ tone, title, text, children }: NoticeProps) {
  return (
    <div class={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

type EmptyProps = Omit<NoticeProps, 'tone'> & { title: string; action?: ComponentChildren };

/** Renders an empty list: the reason, and the next step. */
export function EmptyState({ title, text, children, action }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {text !== undefined && <p>{text}</p>}
      {children}
      {action !== undefined && <p>{action}</p>}
    </div>
  );
}

export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note?: ComponentChildren;
  /** Link to the figure's parts. */
  readonly href?: string;
}

export function Figures({ items }: { items: readonly Figure[] }) {
  return (
    <dl class="figures">
      {items.map(({ label, value, note, href }) => (
        <div key={label} class="figure">
          <dt>{label}</dt>
          <dd class="figure-value">{href === undefined ? value : <a href={href}>{value}</a>}</dd>
          {note !== undefined && <dd class="figure-note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

type PagerProps = {
  lang: Lang;
  /** The visible range and the total, such as `1 a 25 de 320`. */
  range?: string;
  first?: string | undefined;
  previous?: string | undefined;
  next?: string | undefined;
};

/** Links to the neighboring pages of a list. */
export function Pager({ lang, range, first, previous, next }: PagerProps) {
  if ((first ?? previous ?? next) === undefined) {
    return range === undefined ? null : <p class="pager">{range}</p>;
  }
  const words = componentTexts[lang];
  return (
    <nav class="pager" aria-label={words.pages}>
      {range !== undefined && <span class="pager-shown">{range}</span>}
      {first !== undefined && <a href={first}>{words.first}</a>}
      {previous !== undefined && (
        <a rel="prev" href={previous}>
          ← {words.previous}
        </a>
      )}
      {next !== undefined && (
        <a rel="next" href={next}>
          {words.next} →
        </a>
      )}
    </nav>
  );
}

export function Facts({ items }: { items: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {items.map(([name, value]) => (
        <div key={name} class="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type SectionProps = {
  title: string;
  id: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
};

export function Section({ title, id, actions, children }: SectionProps) {
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

type CopyLinkProps = { lang: Lang; label: string; href: string };

/** Renders an address to open or copy. Copying needs scripts. */
export function CopyLink({ lang, label, href }: CopyLinkProps) {
  return (
    <span class="copy-link">
      <a class="code" href={href}>
        {href}
      </a>{' '}
      <CopyButton lang={lang} label={label} value={href} />
    </span>
  );
}

type CopyButtonProps = { lang: Lang; label: string; value: string };

/** Copies a value. Hidden without scripts. */
export function CopyButton({ lang, label, value }: CopyButtonProps) {
  const words = componentTexts[lang];
  return (
    <button
      type="button"
      class="button button-quiet"
      hidden
      data-copy={value}
      data-done={words.copied}
      data-failed={words.notCopied}
      aria-label={`${words.copy}: ${label}`}
    >
      {words.copy}
    </button>
  );
}
