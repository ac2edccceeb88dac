import type { ComponentChildren } from 'preact';
import { dayText } from '../platform/pages/format.ts';
import type { Issuer, PageModel } from '../platform/pages/model.ts';
import { htmlDocument } from '../platform/pages/shell.tsx';
import { type Subject, texts } from './texts.ts';

/** A page about one mandate. */
export type MandateModel = PageModel & {
  readonly issuer: Issuer;
  readonly id: number;
  readonly sandbox: boolean;
  readonly subject: Subject;
  readonly lastDay: Temporal.PlainDate;
};

function mandateDocument(model: MandateModel, title: string, children: ComponentChildren): string {
  return htmlDocument({
    page: model,
    title: `${title} – ${model.issuer.name}`,
    issuer: model.issuer,
    subject: `${texts[model.lang].mandate} ${model.id}`,
    sandbox: model.sandbox,
    children,
  });
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div class="row">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Answer({
  action,
  lang,
  answer,
  label,
}: Record<'action' | 'lang' | 'answer' | 'label', string>) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="lang" value={lang} />
      <input type="hidden" name="answer" value={answer} />
      <button type="submit" class={answer === 'accept' ? 'button' : 'button button-quiet'}>
        {label}
      </button>
    </form>
  );
}

/** Says who will debit what, from where, and asks for an answer. */
export function signPage(model: MandateModel): string {
  const words = texts[model.lang];
  const { subject } = model;
  const title = words.title(model.issuer.name);
  return mandateDocument(
    model,
    title,
    <article class="card">
      <h1>{title}</h1>
      <dl class="rows">
        <Row name={words.rows.collector} value={model.issuer.name} />
        <Row name={words.rows.instrument} value={subject.instrument} />
        <Row name={words.rows.payer} value={subject.payer} />
        <Row name={words.rows.concept} value={subject.description} />
        <Row name={words.rows.until} value={dayText(model.lang, model.lastDay)} />
      </dl>
      {words.statement(subject).map((paragraph) => (
        <p>{paragraph}</p>
      ))}
      <Answer action={model.pageUrl} lang={model.lang} answer="accept" label={words.accept} />
      <Answer action={model.pageUrl} lang={model.lang} answer="decline" label={words.decline} />
    </article>,
  );
}

type Outcome = 'signed' | 'declined' | 'canceled' | 'expired';

/** Says what became of a mandate. */
export function outcomePage(model: MandateModel, outcome: Outcome): string {
  const { title, body } = texts[model.lang][outcome];
  const text = typeof body === 'string' ? body : body(model.issuer.name);
  return mandateDocument(
    model,
    title,
    <article class={`card ${outcome === 'signed' ? 'card-good' : 'card-calm'}`}>
      <h1>{title}</h1>
      <p>{text}</p>
    </article>,
  );
}

/** A page about no mandate: a wrong link, or a failure of ours. */
export function failurePage(page: PageModel, kind: 'notFound' | 'failed'): string {
  const { title, body } = texts[page.lang][kind];
  return htmlDocument({
    page,
    title,
    children: (
      <article class="card card-calm">
        <h1>{title}</h1>
        <p>{body}</p>
      </article>
    ),
  });
}
