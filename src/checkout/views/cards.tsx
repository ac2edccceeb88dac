import { moneyText } from '../../platform/pages/format.ts';
import { contextOf, fieldId, PostForm, scopeOfForm, TextField } from './fields.tsx';
import { Installments } from './installments.tsx';
import { Mark } from './marks.tsx';
import type { CardTaker, ChannelModel, HandedCard, Lang, PayModel, Way } from './model.ts';
import { PayerFactFields } from './payer-fact-fields.tsx';
import { texts } from './texts.ts';

type CardChannel = Extract<ChannelModel, { takers: unknown }>;

/**
 * Renders the card forms. If several acquirers process a channel's cards, each has one with its
 * brands.
 */
export function CardSection({ page, channel }: { page: PayModel; channel: CardChannel }) {
  const { code, takers } = channel;
  const [taker, ...others] = takers;
  if (taker && others.length === 0) return <CardForm page={page} code={code} taker={taker} alone />;
  const cameBack = page.form?.channel === code ? scopeOfForm(page) : null;
  return (
    <>
      <p class="hint">{texts[page.lang].card.whichBrand}</p>
      {takers.map((one) => (
        <details
          key={one.connector}
          class="brands"
          name={`${code}-brands`}
          open={one.scope === cameBack}
        >
          <summary>
            <span class="dot" aria-hidden="true" />
            <Marks taker={one} />
            <span>{one.brands.map(({ name }) => name).join(', ')}</span>
          </summary>
          <CardForm page={page} code={code} taker={one} alone={false} />
        </details>
      ))}
    </>
  );
}

type CardFormProps = {
  page: PayModel;
  code: CardChannel['code'];
  taker: CardTaker;
  /** True if no other acquirer processes this channel's cards. */
  alone: boolean;
};

/**
 * Renders a card form in an acquirer's frame, or the form that continues on the acquirer's page.
 */
function CardForm(props: CardFormProps) {
  const { page, code, taker } = props;
  if (taker.way.kind === 'frame') return <FramedCard {...props} way={taker.way} />;
  const { way, connector, scope } = taker;
  return <ElsewhereForm page={page} code={code} way={way} scope={scope} connector={connector} />;
}

type ElsewhereProps = {
  page: PayModel;
  code: CardChannel['code'] | 'DEBIN';
  way: Way;
  /** Prefix of its fields' ids. */
  scope: string;
  connector?: string;
};

/** Renders the form that continues on the acquirer's page, which collects the card or account. */
export function ElsewhereForm({ page, code, way, scope, connector }: ElsewhereProps) {
  const words = texts[page.lang].elsewhere;
  const label = way.kind === 'redirect' ? way.label : null;
  const amount = moneyText(page.lang, page.due.amount);
  return (
    <PostForm
      action={page.actions.pay}
      lang={page.lang}
      channel={code}
      label={label ?? words.submit({ amount })}
    >
      {connector !== undefined && <input type="hidden" name="connector" value={connector} />}
      <p>{words.note}</p>
      {way.asks.length > 0 && (
        <div class="fields">
          <PayerFactFields context={contextOf(page, scope)} asks={way.asks} />
        </div>
      )}
    </PostForm>
  );
}

type FrameWay = Extract<Way, { kind: 'frame' }>;
type FramedProps = CardFormProps & { way: FrameWay };

/**
 * Returns the hidden inputs for the card that a frame passed on. A value is null if the frame sent
 * none.
 */
function handedOver(card: HandedCard | undefined): [name: string, value: string | null][] {
  return [
    ['token', card?.token ?? null],
    ['brand', card?.brand ?? null],
    ['bin', card?.bin ?? null],
    ['last_four', card?.lastFour ?? null],
    ['card_holder_name', card?.holderName ?? null],
  ];
}

/**
 * Renders a form whose frame collects number, expiry, code and holder. Our page collects the rest.
 */
function FramedCard({ page, code, taker, alone, way }: FramedProps) {
  const words = texts[page.lang];
  const context = contextOf(page, taker.scope);
  const amount = moneyText(page.lang, page.due.amount);
  const credit = code === 'credit_card';
  const handed = context.form?.handed;
  return (
    <PostForm
      action={page.actions.pay}
      lang={page.lang}
      channel={code}
      label={credit && !way.asksPlan ? words.card.submitCredit : words.card.submit({ amount })}
      {...(way.plain && { language: page.actions.language })}
    >
      <input type="hidden" name="connector" value={taker.connector} />
      {handedOver(handed).map(([name, value]) => (
        <input key={name} type="hidden" name={name} data-handed={name} value={value ?? ''} />
      ))}
      {credit && alone && <Accepted lang={page.lang} taker={taker} />}
      <CardFrame page={page} taker={taker} way={way} handed={handed} />
      <p
        class="brand"
        aria-live="polite"
        data-brand-note
        data-label={words.card.detected}
        data-refused={words.card.notAccepted}
      />
      <div class="fields">
        {credit && !way.asksPlan && (
          <Installments lang={page.lang} context={context} plans={taker.plans} />
        )}
        <TextField
          context={context}
          name="holder_email"
          input={{ inputMode: 'email', autocomplete: 'email', maxLength: 255 }}
        />
        <PayerFactFields context={context} asks={way.asks} />
      </div>
    </PostForm>
  );
}

type CardFrameProps = {
  page: PayModel;
  taker: CardTaker;
  way: FrameWay;
  handed: HandedCard | undefined;
};

/** Renders the frame, below the card that it passed on before, if any. */
function CardFrame({ page, taker, way, handed }: CardFrameProps) {
  const words = texts[page.lang];
  const fault = contextOf(page, taker.scope).form?.faults.card_number;
  const id = fieldId(taker.scope, 'card_number');
  const frame = (
    <>
      <iframe
        src={way.url}
        title={words.frame.title}
        data-card-frame={way.origin}
        loading="lazy"
        referrerpolicy="no-referrer"
      />
      <noscript>
        {way.plain ? (
          <p class="hint">{words.frame.useFirst}</p>
        ) : (
          <p class="fault">{words.frame.needsScripts}</p>
        )}
      </noscript>
      <p class="fault" role="alert" data-frame-late hidden>
        {words.frame.late}
      </p>
    </>
  );
  const brand = taker.brands.find(({ family }) => family === handed?.brand)?.name;
  return (
    <div class="connector-frame" id={id} tabIndex={-1}>
      {handed ? (
        <>
          <p class="handed">
            {brand ?? words.frame.anyCard}
            {handed.lastFour !== null && ` ${words.frame.endingIn({ lastFour: handed.lastFour })}`}
          </p>
          <details class="other-card">
            <summary>{words.frame.another}</summary>
            {frame}
          </details>
        </>
      ) : (
        frame
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {words.faults[fault]}
        </p>
      )}
    </div>
  );
}

function Accepted({ lang, taker }: { lang: Lang; taker: CardTaker }) {
  return (
    <div class="accepted">
      <p class="hint">{texts[lang].card.accepted}</p>
      <Marks taker={taker} />
    </div>
  );
}

function Marks({ taker }: { taker: CardTaker }) {
  return (
    <ul class="marks">
      {taker.brands.map(({ family, name }) => (
        <li key={family} data-mark={family}>
          <Mark family={family} name={name} />
        </li>
      ))}
    </ul>
  );
}
