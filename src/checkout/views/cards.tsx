import { moneyText } from '../../platform/pages/format.ts';
import { contextOf, fieldId, PostForm, scopeOfForm, TextField } from './fields.tsx';
import { Installments } from './installments.tsx';
import { Mark } from './marks.tsx';
import type { CardTaker, ChannelModel, Lang, PayModel } from './model.ts';
import { texts } from './texts.ts';

type CardChannel = Extract<ChannelModel, { takers: unknown }>;

/** A card's form; where several take cards of a channel, its brand says whose form it is. */
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
  /** Whether nobody else takes cards of this channel. */
  alone: boolean;
};

/** Of a card: typed here, in a frame of its acquirer's, or on a page of its acquirer's. */
function CardForm(props: CardFormProps) {
  const { page, code, taker } = props;
  if (taker.way.kind === 'frame') return <FramedCard {...props} />;
  if (taker.way.kind === 'typed') return <TypedCard {...props} />;
  return <ElsewhereForm page={page} code={code} connector={taker.connector} />;
}

type ElsewhereProps = {
  page: PayModel;
  code: CardChannel['code'] | 'DEBIN';
  connector?: string;
};

/** The acquirer asks for the rest on a page of its own. */
export function ElsewhereForm({ page, code, connector }: ElsewhereProps) {
  const words = texts[page.lang].elsewhere;
  const amount = moneyText(page.lang, page.due.amount);
  return (
    <PostForm
      action={page.actions.pay}
      lang={page.lang}
      channel={code}
      label={words.submit(amount)}
    >
      {connector !== undefined && <input type="hidden" name="connector" value={connector} />}
      <p>{words.note}</p>
    </PostForm>
  );
}

/** What a frame hands over. */
const handedOver = ['token', 'brand', 'bin', 'last_four', 'card_holder_name'];

/** The frame takes number, expiry, code and holder; our page asks for the rest. */
function FramedCard({ page, code, taker, alone }: CardFormProps) {
  const { way } = taker;
  if (way.kind !== 'frame') return null;
  const words = texts[page.lang];
  const context = contextOf(page, taker.scope);
  const amount = moneyText(page.lang, page.due.amount);
  const credit = code === 'credit_card';
  const fault = context.form?.faults.card_number;
  const id = fieldId(taker.scope, 'card_number');
  return (
    <PostForm
      action={page.actions.pay}
      lang={page.lang}
      channel={code}
      label={credit && !way.asksPlan ? words.card.submitCredit : words.card.submit(amount)}
    >
      <input type="hidden" name="connector" value={taker.connector} />
      {handedOver.map((name) => (
        <input key={name} type="hidden" name={name} data-handed={name} />
      ))}
      {credit && alone && <Accepted lang={page.lang} taker={taker} />}
      <div class="connector-frame" id={id} tabIndex={-1}>
        <iframe
          src={way.url}
          title={words.frame.title}
          data-card-frame={way.origin}
          loading="lazy"
          referrerpolicy="no-referrer"
        />
        <noscript>
          <p class="fault">{words.frame.needsScripts}</p>
        </noscript>
        <p class="fault" role="alert" data-frame-late hidden>
          {words.frame.late}
        </p>
        {fault && <p class="fault">{words.faults[fault]}</p>}
      </div>
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
      </div>
    </PostForm>
  );
}

/** Card number, holder, expiry, code and e-mail; with installments for credit. */
function TypedCard({ page, code, taker, alone }: CardFormProps) {
  const words = texts[page.lang];
  const context = contextOf(page, taker.scope);
  const amount = moneyText(page.lang, page.due.amount);
  // What a credit card pays in all depends on the installments: the script names it once chosen.
  const credit = code === 'credit_card';
  return (
    <PostForm
      action={page.actions.pay}
      typed={page.actions}
      lang={page.lang}
      channel={code}
      label={credit ? words.card.submitCredit : words.card.submit(amount)}
    >
      {credit && alone && <Accepted lang={page.lang} taker={taker} />}
      <div class="fields">
        <TextField
          context={context}
          name="card_number"
          input={{ inputMode: 'numeric', autocomplete: 'cc-number', maxLength: 23 }}
          after={
            <p
              class="brand"
              aria-live="polite"
              data-brand-note
              data-label={words.card.detected}
              data-refused={words.card.notAccepted}
            />
          }
        />
        <TextField
          context={context}
          name="card_holder_name"
          input={{ autocomplete: 'cc-name', maxLength: 255, autocapitalize: 'characters' }}
        />
        <TextField
          context={context}
          name="expiry"
          input={{ inputMode: 'numeric', autocomplete: 'cc-exp', maxLength: 7 }}
        />
        <TextField
          context={context}
          name="cvv"
          input={{ inputMode: 'numeric', autocomplete: 'cc-csc', maxLength: 4 }}
        />
        <TextField
          context={context}
          name="holder_email"
          input={{ inputMode: 'email', autocomplete: 'email', maxLength: 255 }}
        />
        {credit && <Installments lang={page.lang} context={context} plans={taker.plans} />}
      </div>
    </PostForm>
  );
}

/** The brands that are taken, as their marks and by their names. */
function Accepted({ lang, taker }: { lang: Lang; taker: CardTaker }) {
  return (
    <div class="accepted">
      <p class="hint">{texts[lang].card.accepted}</p>
      <Marks taker={taker} />
    </div>
  );
}

/** The brands of a taker, as they are drawn. */
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
