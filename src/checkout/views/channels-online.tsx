import { moneyText } from '../../platform/pages/format.ts';
import { CopyButton } from './copy.tsx';
import { type FormContext, fieldId, PostForm, SelectField, TextField } from './fields.tsx';
import { Mark } from './marks.tsx';
import type { BrandPlans, ChannelModel, InstallmentOption, Lang, PayModel } from './model.ts';
import { QrImage } from './qr-image.tsx';
import { texts } from './texts.ts';

/** One channel's model and the page it stands on. */
export type SectionProps<Code extends ChannelModel['code']> = {
  page: PayModel;
  channel: Extract<ChannelModel, { code: Code }>;
};

function contextOf(page: PayModel, channel: ChannelModel): FormContext {
  return { lang: page.lang, channel: channel.code, form: page.form };
}

/** Of a card: typed here, in a frame of its acquirer's, or on a page of its acquirer's. */
export function CardSection(props: SectionProps<'credit_card' | 'debit_card'>) {
  const { kind } = props.channel.way;
  if (kind === 'frame') return <FramedCard {...props} />;
  return kind === 'redirect' ? <ElsewhereSection {...props} /> : <TypedCard {...props} />;
}

/** The acquirer asks for the rest on a page of its own. */
export function ElsewhereSection({
  page,
  channel,
}: SectionProps<'credit_card' | 'debit_card' | 'DEBIN'>) {
  const words = texts[page.lang].elsewhere;
  const amount = moneyText(page.lang, page.due.amount);
  return (
    <PostForm
      action={page.actions.pay}
      lang={page.lang}
      channel={channel.code}
      label={words.submit(amount)}
    >
      <p>{words.note}</p>
    </PostForm>
  );
}

/** What a frame hands over. */
const handedOver = ['token', 'brand', 'bin', 'last_four', 'card_holder_name'];

/** The frame takes number, expiry, code and holder; our page asks for the rest. */
function FramedCard({ page, channel }: SectionProps<'credit_card' | 'debit_card'>) {
  const { way } = channel;
  if (way.kind !== 'frame') return null;
  const words = texts[page.lang];
  const context = contextOf(page, channel);
  const amount = moneyText(page.lang, page.due.amount);
  const credit = channel.code === 'credit_card';
  const fault = context.form?.channel === channel.code && context.form.faults.card_number;
  const id = fieldId(channel.code, 'card_number');
  return (
    <PostForm
      action={page.actions.pay}
      lang={page.lang}
      channel={channel.code}
      label={credit && !way.asksPlan ? words.card.submitCredit : words.card.submit(amount)}
    >
      <input type="hidden" name="connector" value={way.connector} />
      {handedOver.map((name) => (
        <input key={name} type="hidden" name={name} data-handed={name} />
      ))}
      {channel.code === 'credit_card' && <Accepted lang={page.lang} plans={channel.plans} />}
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
        {channel.code === 'credit_card' && !way.asksPlan && (
          <Installments lang={page.lang} context={context} plans={channel.plans} />
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
function TypedCard({ page, channel }: SectionProps<'credit_card' | 'debit_card'>) {
  const words = texts[page.lang];
  const context = contextOf(page, channel);
  const amount = moneyText(page.lang, page.due.amount);
  // What a credit card pays in all depends on the installments: the script names it once chosen.
  const credit = channel.code === 'credit_card';
  return (
    <PostForm
      action={page.actions.pay}
      typed={page.actions}
      lang={page.lang}
      channel={channel.code}
      label={credit ? words.card.submitCredit : words.card.submit(amount)}
    >
      {channel.code === 'credit_card' && <Accepted lang={page.lang} plans={channel.plans} />}
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
        {channel.code === 'credit_card' && (
          <Installments lang={page.lang} context={context} plans={channel.plans} />
        )}
      </div>
    </PostForm>
  );
}

type InstallmentsProps = { lang: Lang; context: FormContext; plans: readonly BrandPlans[] };

/** The brands that are taken, as their marks and by their names. */
function Accepted({ lang, plans }: { lang: Lang; plans: readonly BrandPlans[] }) {
  return (
    <div class="accepted">
      <p class="hint">{texts[lang].card.accepted}</p>
      <ul class="marks">
        {plans.map(({ brand }) => (
          <li key={brand.code} data-mark={brand.family}>
            <Mark family={brand.family} name={brand.name} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Installments({ lang, context, plans }: InstallmentsProps) {
  return (
    <SelectField
      context={context}
      name="installments"
      after={<p class="brand" aria-live="polite" data-chosen />}
    >
      {(kept) => (
        <>
          <option value="">{texts[lang].card.chooseInstallments}</option>
          {plans.map(({ brand, options }) => (
            <optgroup key={brand.code} label={brand.name} data-brand={brand.family}>
              {options.map((option) => {
                const value = `${brand.code}:${option.count}`;
                return (
                  <option
                    key={value}
                    value={value}
                    selected={value === kept}
                    data-submit={submitText(lang, option)}
                  >
                    {installmentText(lang, option)}
                  </option>
                );
              })}
            </optgroup>
          ))}
        </>
      )}
    </SelectField>
  );
}

/** `3 cuotas de $ 500,00 (total $ 1.500,00)`. */
export function installmentText(lang: Lang, option: InstallmentOption): string {
  const words = texts[lang].card;
  const total = moneyText(lang, option.total);
  if (option.count === 1) return words.oneInstallment(total);
  const told = option.count * option.amount === option.total ? words.installments : words.rounded;
  return told(option.count, moneyText(lang, option.amount), total);
}

/** What the button says once the option is chosen. */
function submitText(lang: Lang, { count, total }: InstallmentOption): string {
  const words = texts[lang].card;
  const amount = moneyText(lang, total);
  return count === 1 ? words.submit(amount) : words.submitIn(amount, count);
}

/** Account and holder of whom a DEBIN is asked. */
export function DebinSection({ page, channel }: SectionProps<'DEBIN'>) {
  if (channel.way.kind === 'redirect') return <ElsewhereSection page={page} channel={channel} />;
  const words = texts[page.lang];
  const context = contextOf(page, channel);
  return (
    <PostForm
      action={page.actions.pay}
      typed={page.actions}
      lang={page.lang}
      channel={channel.code}
      label={words.debin.submit(moneyText(page.lang, page.due.amount))}
    >
      <p>{words.debin.note}</p>
      <div class="fields">
        <TextField
          context={context}
          name="account"
          input={{ autocomplete: 'off', maxLength: 30, autocapitalize: 'none' }}
        />
        <TextField
          context={context}
          name="holder_cuit"
          input={{ inputMode: 'numeric', autocomplete: 'off', maxLength: 15 }}
        />
      </div>
    </PostForm>
  );
}

/** The code to scan with a wallet, to keep as a picture, or to copy on the same phone. */
export function QrSection({ page, channel }: SectionProps<'qr'>) {
  const words = texts[page.lang].qr;
  return (
    <div class="qr">
      <QrImage drawing={channel.drawing} label={words.image} />
      <Steps steps={words.steps} />
      <div class="same-phone">
        <p>{words.samePhone}</p>
        <p class="actions">
          <a class="button button-quiet" href={channel.imageUrl} download={`qr-${page.id}.png`}>
            {words.save}
          </a>
        </p>
        <label for="qr-text">{words.text}</label>
        <textarea id="qr-text" class="code qr-text" readOnly rows={3} spellcheck={false}>
          {channel.payload}
        </textarea>
        <CopyButton lang={page.lang} label={words.text} value={channel.payload} />
      </div>
    </div>
  );
}

/** What to do, in order. */
export function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol class="steps">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
