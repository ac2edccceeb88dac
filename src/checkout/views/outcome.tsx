// Longer than 300 lines: the outcomes of a payment, one small view each.
import type { ComponentChildren } from 'preact';
import { centavos } from '../../kernel/money.ts';
import { isolated } from '../../kernel/text.ts';
import { dayText, hasTime, momentText, moneyText, paidText } from '../../platform/pages/format.ts';
import { htmlDocument, localized } from '../../platform/pages/shell.tsx';
import { Amount } from './amount.tsx';
import { installmentText } from './installments.tsx';
import type {
  ErrorModel,
  ExpiredModel,
  Lang,
  PageModel,
  PaidModel,
  PausedModel,
  PendingModel,
  ReceiptModel,
  RejectedModel,
  RequestModel,
} from './model.ts';
import { texts } from './texts.ts';

type Tone = 'good' | 'bad' | 'wait' | 'calm';

/** Renders a page about a request with a single message. */
export function notice(
  model: RequestModel & { backUrl?: string },
  tone: Tone,
  title: string,
  body: ComponentChildren,
): string {
  return htmlDocument({
    page: model,
    title: `${title} – ${isolated(model.issuer.name)}`,
    issuer: model.issuer,
    subject: `${texts[model.lang].request} ${model.id}`,
    sandbox: model.sandbox,
    children: (
      <Card tone={tone} title={title}>
        {body}
        <Back lang={model.lang} url={model.backUrl} />
      </Card>
    ),
  });
}

function Card({
  tone,
  title,
  children,
}: {
  tone: Tone;
  title: string;
  children: ComponentChildren;
}) {
  return (
    <article class={`card card-${tone}`}>
      <Sign tone={tone} />
      <h1>{title}</h1>
      {children}
    </article>
  );
}

const signs: Readonly<Record<Tone, string>> = {
  good: 'M7 12.5l3.5 3.5L17 9',
  bad: 'M8 8l8 8M16 8l-8 8',
  wait: 'M12 7v5.5l3.5 2',
  calm: 'M12 7v6M12 16.5v.5',
};

function Sign({ tone }: { tone: Tone }) {
  return (
    <svg class="sign" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="11" />
      <path d={signs[tone]} />
    </svg>
  );
}

function Back({ lang, url }: { lang: Lang; url: string | undefined }) {
  if (url === undefined || !/^https?:\/\//i.test(url)) return null;
  return (
    <p>
      <a class="button" href={url}>
        {texts[lang].back}
      </a>
    </p>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="row">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type ReceiptRow = { readonly name: string; readonly value: string; readonly code?: true };

/** Returns the rows of a receipt in the model's language, for the page and the PDF. */
export function receiptRows(model: ReceiptModel): ReceiptRow[] {
  const { lang, installments, settlement } = model;
  const { receipt: words, pay, request } = texts[lang];
  const lastFour =
    model.cardLastFour === undefined ? '' : ` ${words.card({ lastFour: model.cardLastFour })}`;
  const when = hasTime(model.paidAt) ? words.date : words.day;
  const rows: (ReceiptRow | false)[] = [
    { name: when, value: paidText(lang, model.paidAt) },
    { name: words.channel, value: model.channel + lastFour },
    installments !== undefined && {
      name: words.installments,
      value: installmentText(lang, installments),
    },
    model.authorizationCode !== undefined && {
      name: words.authorization,
      value: model.authorizationCode,
      code: true,
    },
    settlement !== undefined && {
      name: words.settled,
      value: `${moneyText(lang, settlement.paid)} / ${moneyText(lang, settlement.due)}`,
    },
    { name: request, value: String(model.id) },
    { name: pay.payer, value: model.payerName },
    { name: pay.concept, value: model.description },
    model.reference !== undefined && { name: pay.reference, value: model.reference },
  ];
  return rows.filter((row) => row !== false);
}

export function receiptPage(model: ReceiptModel): string {
  const { lang } = model;
  const words = texts[lang].receipt;
  return notice(
    model,
    'good',
    words.title,
    <>
      <p class="lead">{words.lead({ issuer: isolated(model.issuer.name) })}</p>
      <Amount lang={lang} amount={model.amount} />
      <dl class="rows">
        {receiptRows(model).map(({ name, value, code }) => (
          <Fact key={name} name={name}>
            {code ? <span class="code">{value}</span> : <bdi class="concept">{value}</bdi>}
          </Fact>
        ))}
      </dl>
      <p class="actions">
        <a class="button button-quiet" href={model.pdfUrl}>
          {words.pdf}
        </a>
        <button type="button" class="button button-quiet" hidden data-print>
          {texts[lang].print}
        </button>
      </p>
    </>,
  );
}

export function rejectedPage(model: RejectedModel): string {
  const words = texts[model.lang].rejected;
  return notice(
    model,
    'bad',
    words.title,
    <>
      <p class="lead">{words.reasons[model.reason]}</p>
      <p>{words.lead}</p>
      <p>
        <a class="button" href={localized(model, model.payPath)}>
          {words.again}
        </a>
      </p>
    </>,
  );
}

/**
 * Renders the page after too many refused attempts: the time of the next one, and the other
 * channels.
 */
export function pausedPage(model: PausedModel): string {
  const words = texts[model.lang].paused;
  const { lang, until, issuer } = model;
  return notice(
    model,
    'wait',
    words.title,
    <>
      <p class="lead">
        {until === undefined
          ? words.noMore({ issuer: isolated(issuer.name) })
          : words.until({ moment: momentText(lang, until) })}
      </p>
      <p>{words.lead}</p>
      <p>
        <a class="button" href={localized(model)}>
          {words.others}
        </a>
      </p>
    </>,
  );
}

/** Renders an attempt whose outcome is not known yet. */
export function pendingPage(model: PendingModel): string {
  const { pending, debin } = texts[model.lang];
  const words = { ...pending, ...(model.isDebin && debin.pending) };
  return notice(
    model,
    'wait',
    words.title,
    <>
      <p class="lead">{words.lead({ amount: moneyText(model.lang, model.amount) })}</p>
      <p>
        <strong>{words.wait}</strong>
      </p>
      <p>{words.again}</p>
      <p>
        <a class="button button-quiet" href={localized(model)}>
          {words.refresh}
        </a>
      </p>
    </>,
  );
}

/** Returns the texts on a request that was paid in part, in full or in excess. */
function settledWords({ lang, settlement, issuer }: PaidModel) {
  const words = texts[lang].paid;
  const { paid, due } = settlement;
  const money = (amount: number) => moneyText(lang, centavos(amount));
  const name = isolated(issuer.name);
  if (paid === due) return { title: words.title, lead: words.lead };
  return paid < due
    ? {
        title: words.partTitle,
        lead: words.part({ paid: money(paid), due: money(due), rest: money(due - paid) }),
        ask: words.askPart({ issuer: name }),
      }
    : {
        title: words.title,
        lead: words.over({ paid: money(paid), due: money(due), excess: money(paid - due) }),
        ask: words.askOver({ issuer: name }),
      };
}

export function paidPage(model: PaidModel): string {
  const words = texts[model.lang].paid;
  const { title, lead, ask } = settledWords(model);
  return notice(
    model,
    model.settlement.paid < model.settlement.due ? 'wait' : 'good',
    title,
    <>
      <p class="lead">{lead}</p>
      {ask !== undefined && <p>{ask}</p>}
      {model.paidAt !== undefined && <p>{words.on({ day: paidText(model.lang, model.paidAt) })}</p>}
      {model.receiptUrl !== undefined && (
        <p>
          <a class="button button-quiet" href={model.receiptUrl}>
            {words.receipt}
          </a>
        </p>
      )}
    </>,
  );
}

export function expiredPage(model: ExpiredModel): string {
  const words = texts[model.lang].expired;
  return notice(
    model,
    'calm',
    words.title,
    <>
      <p class="lead">{words.lead({ day: dayText(model.lang, model.lastDay) })}</p>
      <p>{words.ask({ issuer: isolated(model.issuer.name) })}</p>
    </>,
  );
}

/** Renders a refunded or charged-back request, which can no longer be paid here. */
export function closedPage(model: RequestModel): string {
  const words = texts[model.lang].closed;
  return notice(
    model,
    'calm',
    words.title,
    <>
      <p class="lead">{words.lead}</p>
      <p>{words.ask({ issuer: isolated(model.issuer.name) })}</p>
    </>,
  );
}

export function notFoundPage(model: PageModel): string {
  const words = texts[model.lang].notFound;
  return htmlDocument({
    page: model,
    title: words.title,
    children: (
      <Card tone="calm" title={words.title}>
        <p class="lead">{words.lead}</p>
        <p>{words.ask}</p>
      </Card>
    ),
  });
}

/** Renders the page for a failure, with the id of the call to quote. */
export function errorPage(model: ErrorModel): string {
  const words = texts[model.lang].error;
  return htmlDocument({
    page: model,
    title: words.title,
    children: (
      <Card tone="bad" title={words.title}>
        <p class="lead">{words[model.kind]}</p>
        <p>
          <a class="button" href={localized(model)}>
            {words.again}
          </a>
        </p>
        {model.requestId !== undefined && (
          <p>
            {words.requestId} <span class="code">{model.requestId}</span>
          </p>
        )}
      </Card>
    ),
  });
}
