import type { ComponentChildren } from 'preact';
import { isolated } from '../kernel/text.ts';
import { dayText, momentText } from '../platform/pages/format.ts';
import type { Issuer, PageModel } from '../platform/pages/model.ts';
import { htmlDocument } from '../platform/pages/shell.tsx';
import { type Subject, statementOf, texts, withIssuer } from './texts.ts';

/** A page about one mandate. */
export type MandateModel = PageModel & {
  readonly issuer: Issuer;
  readonly id: number;
  readonly sandbox: boolean;
  readonly subject: Subject;
  /** Address of the forms, in the reader's language. */
  readonly action: string;
};

/** The frame in which a holder enters a card. */
export type CardModel = {
  readonly connector: string;
  readonly url: string;
  readonly origin: string;
  /** True if the previous card was refused. */
  readonly refused: boolean;
};

/** The holder's possible answers. `decline` and `revoke` lead to a confirmation. */
export const answers = [
  'accept',
  'decline',
  'revoke',
  'decline_confirmed',
  'revoke_confirmed',
] as const;
export type Answer = (typeof answers)[number];

function mandateDocument(model: MandateModel, title: string, children: ComponentChildren): string {
  return htmlDocument({
    page: model,
    title: `${title} – ${isolated(model.issuer.name)}`,
    issuer: model.issuer,
    subject: `${texts[model.lang].mandate} ${model.id}`,
    sandbox: model.sandbox,
    children,
  });
}

function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="row">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Renders parties, account and terms of the debit, the same before and after the signature. */
function SubjectRows({ model }: { model: MandateModel }) {
  const { rows } = texts[model.lang];
  const { subject } = model;
  return (
    <>
      <Row name={rows.collector}>
        <bdi>{subject.issuer}</bdi>
      </Row>
      <Row name={rows.instrument}>
        <span>{subject.instrument}</span>
      </Row>
      <Row name={rows.payer}>
        <bdi>{subject.payer}</bdi>
      </Row>
      <Row name={rows.concept}>
        <bdi class="concept">{subject.description}</bdi>
      </Row>
      {subject.reference !== null && (
        <Row name={rows.reference}>
          <bdi>{subject.reference}</bdi>
        </Row>
      )}
    </>
  );
}

function AnswerForm({
  model,
  answer,
  label,
}: {
  model: MandateModel;
  answer: Answer;
  label: string;
}) {
  const first = answer === 'accept' || answer.endsWith('confirmed');
  return (
    <form method="post" action={model.action}>
      <input type="hidden" name="lang" value={model.lang} />
      <input type="hidden" name="answer" value={answer} />
      <button type="submit" class={first ? 'button' : 'button button-quiet'}>
        {label}
      </button>
    </form>
  );
}

/** Fields that a frame returns. */
const handedOver = ['token', 'brand', 'bin', 'last_four', 'card_holder_name'];

/** Renders the form that signs with the frame's card. */
function CardForm({ model, card }: { model: MandateModel; card: CardModel }) {
  const words = texts[model.lang];
  return (
    <form method="post" action={model.action} data-card data-busy={words.card.busy}>
      <input type="hidden" name="lang" value={model.lang} />
      <input type="hidden" name="answer" value="accept" />
      <input type="hidden" name="connector" value={card.connector} />
      {handedOver.map((name) => (
        <input key={name} type="hidden" name={name} data-handed={name} />
      ))}
      <h2 class="small-title">{words.card.title}</h2>
      <p class="hint">{words.card.note}</p>
      {card.refused && (
        <p class="fault" role="alert">
          {words.card.refused}
        </p>
      )}
      <div class="connector-frame">
        <iframe
          src={card.url}
          title={words.card.title}
          data-card-frame={card.origin}
          referrerpolicy="no-referrer"
        />
        <noscript>
          <p class="fault">{words.card.needsScripts}</p>
        </noscript>
        <p class="fault" role="alert" data-frame-late hidden>
          {words.card.late}
        </p>
      </div>
      <button type="submit" class="button">
        {words.accept}
      </button>
    </form>
  );
}

/** Renders the page of a card in progress, which reloads itself. */
export function waitingPage(model: MandateModel): string {
  const { title, body } = texts[model.lang].waiting;
  return mandateDocument(
    model,
    title,
    <article class="card card-calm">
      <h1>{title}</h1>
      <p class="lead">{body}</p>
    </article>,
  );
}

/** The way to sign: a button or a card. `unavailable`: no connector can store cards. */
export type SignWay = 'button' | 'unavailable' | CardModel;

/** Renders the terms of the debit and asks for an answer. */
export function signPage(model: MandateModel, lastDay: Temporal.PlainDate, way: SignWay): string {
  const words = texts[model.lang];
  const title = words.title({ issuer: isolated(model.issuer.name) });
  return mandateDocument(
    model,
    title,
    <article class="card">
      <h1>{title}</h1>
      <dl class="rows">
        <SubjectRows model={model} />
        <Row name={words.rows.until}>{words.wholeDay({ day: dayText(model.lang, lastDay) })}</Row>
      </dl>
      {statementOf(model.lang, model.subject).map((paragraph) => (
        <p key={paragraph}>
          <Unbroken text={paragraph} />
        </p>
      ))}
      {way === 'button' && <AnswerForm model={model} answer="accept" label={words.accept} />}
      {way === 'unavailable' && <p class="fault">{words.card.unavailable}</p>}
      {typeof way === 'object' && <CardForm model={model} card={way} />}
      <AnswerForm model={model} answer="decline" label={words.decline} />
    </article>,
  );
}

/** Asks for confirmation before something ends. */
export function confirmPage(model: MandateModel, answer: 'decline' | 'revoke'): string {
  const words = texts[model.lang];
  const { title, body, yes } = answer === 'decline' ? words.confirmDecline : words.confirmRevoke;
  return mandateDocument(
    model,
    title,
    <article class="card">
      <h1>{title}</h1>
      <p>{body({ issuer: isolated(model.issuer.name) })}</p>
      <AnswerForm model={model} answer={`${answer}_confirmed`} label={yes} />
      <a class="button button-quiet button-wide" href={model.action}>
        {words.back}
      </a>
    </article>,
  );
}

/** Stored evidence of a signature, as the holder may read it later. */
export interface Signed {
  at: Temporal.Instant;
  /** Paragraphs, in the language in which they were signed. */
  text: readonly string[];
}

export type Outcome = 'signed' | 'declined' | 'revoked' | 'canceled' | 'expired';

/** Renders a mandate after its answer or deadline, with the signed text if there is one. */
export function outcomePage(
  model: MandateModel,
  outcome: Outcome,
  { signed, endedAt }: { signed: Signed | null; endedAt: Temporal.Instant | null },
): string {
  const words = texts[model.lang];
  const { title, body } = words[outcome];
  return mandateDocument(
    model,
    title,
    <article class={`card ${outcome === 'signed' ? 'card-good' : 'card-calm'}`}>
      <h1>{title}</h1>
      <p class="lead">{withIssuer(body, isolated(model.issuer.name))}</p>
      <dl class="rows">
        <SubjectRows model={model} />
        {signed && (
          <Row name={words.rows.signedAt}>
            <Moment model={model} at={signed.at} />
          </Row>
        )}
        {endedAt && (
          <Row name={words.rows.endedAt}>
            <Moment model={model} at={endedAt} />
          </Row>
        )}
      </dl>
      {signed && <SignedText model={model} signed={signed} />}
      {outcome === 'signed' && <AnswerForm model={model} answer="revoke" label={words.revoke} />}
    </article>,
  );
}

function Moment({ model, at }: { model: MandateModel; at: Temporal.Instant }) {
  return <time dateTime={at.toString()}>{momentText(model.lang, at)}</time>;
}

function SignedText({ model, signed }: { model: MandateModel; signed: Signed }) {
  return (
    <section>
      <h2 class="small-title">{texts[model.lang].rows.signedText}</h2>
      {signed.text.map((paragraph) => (
        <p key={paragraph} class="quoted" dir="auto">
          <Unbroken text={paragraph} />
        </p>
      ))}
    </section>
  );
}

/** Renders a text with each tax id on one line, since browsers would break it at its hyphens. */
function Unbroken({ text }: { text: string }) {
  const parts = text.split(/(\b\d{2}-\d{8}-\d\b)/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <span key={part} class="whole">
            {part}
          </span>
        ),
      )}
    </>
  );
}

/** Renders an error page: a wrong or old link, or a failure of ours. */
export function failurePage(
  page: PageModel,
  kind: 'notFound' | 'replaced' | 'unavailable' | 'failed',
): string {
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
