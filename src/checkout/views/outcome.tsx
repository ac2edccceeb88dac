import type { ComponentChildren } from 'preact';
import { dayText, momentText, moneyText } from '../../platform/pages/format.ts';
import { htmlDocument } from '../../platform/pages/shell.tsx';
import { installmentText } from './channels-online.tsx';
import type {
  ErrorModel,
  ExpiredModel,
  Lang,
  PageModel,
  PaidModel,
  PendingModel,
  ReceiptModel,
  RejectedModel,
  RequestModel,
} from './model.ts';
import { texts } from './texts.ts';

type Tone = 'good' | 'bad' | 'wait' | 'calm';

/** A page about one request that says one thing. */
function notice(
  model: RequestModel & { backUrl?: string },
  tone: Tone,
  title: string,
  body: ComponentChildren,
): string {
  return htmlDocument({
    page: model,
    title: `${title} – ${model.issuer.name}`,
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

/** An approved payment, for keeping and printing. */
export function receiptPage(model: ReceiptModel): string {
  const { lang } = model;
  const words = texts[lang].receipt;
  const lastFour = model.cardLastFour === undefined ? '' : ` ${words.card(model.cardLastFour)}`;
  return notice(
    model,
    'good',
    words.title,
    <>
      <p class="lead">{words.lead(model.issuer.name)}</p>
      <p class="amount">{moneyText(lang, model.amount)}</p>
      <dl class="rows">
        <Fact name={words.date}>
          <time dateTime={model.paidAt.toString()}>{momentText(lang, model.paidAt)}</time>
        </Fact>
        <Fact name={words.channel}>
          {model.channel}
          {lastFour}
        </Fact>
        {model.installments !== undefined && (
          <Fact name={words.installments}>{installmentText(lang, model.installments)}</Fact>
        )}
        {model.authorizationCode !== undefined && (
          <Fact name={words.authorization}>
            <span class="code">{model.authorizationCode}</span>
          </Fact>
        )}
        <Fact name={texts[lang].request}>{model.id}</Fact>
        <Fact name={texts[lang].pay.payer}>{model.payerName}</Fact>
        <Fact name={texts[lang].pay.concept}>
          <span class="concept">{model.description}</span>
        </Fact>
        {model.reference !== undefined && (
          <Fact name={texts[lang].pay.reference}>{model.reference}</Fact>
        )}
      </dl>
      <button type="button" class="button button-quiet" hidden data-print>
        {texts[lang].print}
      </button>
    </>,
  );
}

/** A refused attempt: why, and the way back to the pay page. */
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
        <a class="button" href={localized({ ...model, pageUrl: model.payPath ?? model.pageUrl })}>
          {words.again}
        </a>
      </p>
    </>,
  );
}

/** An attempt whose outcome is not known yet. */
export function pendingPage(model: PendingModel): string {
  const words = texts[model.lang].pending;
  return notice(
    model,
    'wait',
    words.title,
    <>
      <p class="lead">{words.lead(moneyText(model.lang, model.amount))}</p>
      <p>
        <strong>{words.wait}</strong>
      </p>
      <p>
        <a class="button button-quiet" href={localized(model)}>
          {words.refresh}
        </a>
      </p>
    </>,
  );
}

/** A request that somebody has paid already. */
export function paidPage(model: PaidModel): string {
  const words = texts[model.lang].paid;
  return notice(
    model,
    'good',
    words.title,
    <>
      <p class="lead">{words.lead}</p>
      {model.paidOn !== undefined && <p>{words.on(dayText(model.lang, model.paidOn))}</p>}
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

/** A request past its last due day. */
export function expiredPage(model: ExpiredModel): string {
  const words = texts[model.lang].expired;
  return notice(
    model,
    'calm',
    words.title,
    <>
      <p class="lead">{words.lead(dayText(model.lang, model.lastDay))}</p>
      <p>{words.ask(model.issuer.name)}</p>
    </>,
  );
}

/** A request whose money went back: it can no longer be paid here. */
export function closedPage(model: RequestModel): string {
  const words = texts[model.lang].closed;
  return notice(
    model,
    'calm',
    words.title,
    <>
      <p class="lead">{words.lead}</p>
      <p>{words.ask(model.issuer.name)}</p>
    </>,
  );
}

/** No such request. */
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

/** The service is busy, or failed. */
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

/** The page's own address in the language that is being read. */
function localized(page: PageModel): string {
  return page.lang === 'es' ? page.pageUrl : `${page.pageUrl}?lang=${page.lang}`;
}
