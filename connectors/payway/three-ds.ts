import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { Charges, Page, PageRequest } from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import type { Outcome } from '../protocol/messages.ts';
import type { Desk } from './desk.ts';
import { escapeHtml, htmlPage, jsonPage } from './pages.ts';

/** The acquirer's instruction for the browser: a form to post to the issuer, in a frame. */
const stepSchema = Type.Object({
  id: Type.Union([Type.Integer(), Type.String({ maxLength: 40 })]),
  timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 })),
  target: Type.Object({ visible: Type.Boolean() }),
  http: Type.Object({
    method: Type.String(),
    url: Type.String({ pattern: '^https?://', maxLength: 2048 }),
    // The SDKs read a string: the form's fields.
    body: Type.Optional(Type.Union([Type.String({ maxLength: 16_384 }), Type.Null()])),
  }),
});
type Step = Static<typeof stepSchema>;
const readStep = reader(stepSchema);

/** Minutes for the payer's step, on the business clock. */
const minutesToAct = 15;
/**
 * Minutes that the page stays open: fewer, so that nothing is in flight to the acquirer at the
 * payer's deadline.
 */
const minutesToShow = minutesToAct - 1;

/**
 * Stored state of a charge that waits for its payer. `until` is on the business clock, and `closes`
 * on the wall clock.
 */
const memoSchema = Type.Object({
  step: stepSchema,
  until: Type.String(),
  closes: Type.Integer(),
});
type Memo = Static<typeof memoSchema>;
const readMemo = reader(memoSchema);

type Action = Extract<Outcome, { outcome: 'action_required' }>;

const markOf = ({ config }: Desk, attempt: string): string =>
  createHmac('sha256', config.privateKey).update(`3ds:${attempt}`).digest('base64url');

const isMark = (desk: Desk, attempt: string, given: string): boolean => {
  const [own, other] = [Buffer.from(markOf(desk, attempt)), Buffer.from(given)];
  return own.length === other.length && timingSafeEqual(own, other);
};

const actionAt = (desk: Desk, attempt: string, until: string): Action => ({
  outcome: 'action_required',
  kind: 'frame',
  url: `${desk.publicUrl}/3ds?attempt=${attempt}&mark=${markOf(desk, attempt)}`,
  until,
});

/** Stores and returns the step that an answer requires. Returns null if it requires none. */
export async function actionOf(
  desk: Desk,
  attempt: string,
  body: unknown,
  businessTime: string,
  remember: (memo: unknown) => Promise<void>,
): Promise<Action | null> {
  const step = readStep(body);
  if ('fault' in step) return null;
  const until = new Date(Date.parse(businessTime) + minutesToAct * 60_000).toISOString();
  await remember({ step: step.value, until, closes: Date.now() + minutesToShow * 60_000 });
  return actionAt(desk, attempt, until);
}

/**
 * Returns the step again for a payer who comes back to it. Returns null if the memo contains none.
 */
export function rememberedAction(desk: Desk, attempt: string, memo: unknown): Action | null {
  const read = readMemo(memo);
  return 'fault' in read ? null : actionAt(desk, attempt, read.value.until);
}

const stepForBrowser = ({ http, target, timeout = 30 }: Step): object => ({
  url: http.url,
  method: http.method,
  fields: [...new URLSearchParams(http.body ?? '')],
  visible: target.visible,
  timeout,
});

/** Issuers may use any https host. With an emulator over http, its origin is allowed too. */
const issuers = ({ config }: Desk): string =>
  config.url.startsWith('http:') ? `https: ${new URL(config.url).origin}` : 'https:';

function pageOf(desk: Desk, step: Step, lang: 'es' | 'en'): Page {
  const words =
    lang === 'en'
      ? { title: 'Your bank checks the payment', wait: 'One moment: your bank is checking.' }
      : { title: 'Tu banco verifica el pago', wait: 'Un momento: tu banco está verificando.' };
  return htmlPage({
    title: words.title,
    lang,
    head: '<link rel="stylesheet" href="assets/frame.css">',
    body: `<main data-opener="${escapeHtml(desk.config.checkoutOrigins.join(' '))}" data-step="${escapeHtml(
      JSON.stringify(stepForBrowser(step)),
    )}"><p role="status">${words.wait}</p>
<iframe name="issuer" title="${words.title}" hidden></iframe></main>
<script src="assets/three-ds.js" type="module"></script>`,
    // The issuer's page is untrusted: the frame communicates by messages only.
    csp: {
      'frame-src': issuers(desk),
      'form-action': issuers(desk),
      'connect-src': "'self'",
      'frame-ancestors': desk.config.checkoutOrigins.join(' ') || "'none'",
    },
  });
}

function closedPage({ config }: Desk, lang: 'es' | 'en'): Page {
  const text =
    lang === 'en' ? 'The time to confirm is over.' : 'Se terminó el tiempo para confirmar.';
  const page = htmlPage({
    title: text,
    lang,
    head: '<link rel="stylesheet" href="assets/frame.css">',
    body: `<main><p role="status">${text}</p></main>`,
    csp: { 'frame-ancestors': config.checkoutOrigins.join(' ') || "'none'" },
  });
  return { ...page, status: 410 };
}

const readTold = reader(
  Type.Object({ instruction_value: Type.String({ minLength: 1, maxLength: 4096 }) }),
);

/** Sends a step's result to the acquirer, which orders another step or ends the payment. */
async function goOn(
  desk: Desk,
  attempt: string,
  memo: Memo,
  body: string,
  charges: Charges,
): Promise<Page> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    parsed = null;
  }
  const told = readTold(parsed);
  if ('fault' in told) return jsonPage(400, { message: told.fault });
  const { id } = memo.step;
  const order = { id, instruction_value: told.value.instruction_value };
  const answered = await desk.api.post('/threeds/instruction', order, AbortSignal.timeout(38_000));
  const next = readStep(answered.body);
  if ('value' in next) {
    await charges.remember(attempt, { ...memo, step: next.value });
    return jsonPage(200, { step: stepForBrowser(next.value) });
  }
  await desk.tell({ type: 'charge.changed', attempt }, String(id));
  return jsonPage(200, { finished: true });
}

/** Serves a step's pages: the frame, and the endpoint for its result. */
export async function threeDsPage(
  desk: Desk,
  { method, path, query, body }: PageRequest,
  charges: Charges,
): Promise<Page | null> {
  if (path !== '/3ds' && path !== '/3ds/continue') return null;
  const attempt = query.get('attempt') ?? '';
  if (!isMark(desk, attempt, query.get('mark') ?? '')) {
    return jsonPage(404, { message: 'There is no such step.' });
  }
  const memo = readMemo(charges.known(attempt)?.memo);
  if ('fault' in memo) return jsonPage(404, { message: 'There is no such step.' });
  const { step, closes } = memo.value;
  const lang = query.get('lang') === 'en' ? 'en' : 'es';
  // The service closes late steps, so nothing may reach the acquirer after that.
  if (Date.now() >= closes) return closedPage(desk, lang);
  if (path === '/3ds' && method === 'GET') return pageOf(desk, step, lang);
  if (path === '/3ds/continue' && method === 'POST') {
    return await goOn(desk, attempt, memo.value, body, charges);
  }
  return null;
}
