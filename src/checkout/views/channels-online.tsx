import { moneyText } from '../../platform/pages/format.ts';
import { CopyButton } from './copy.tsx';
import { type FormContext, PostForm, SelectField, TextField } from './fields.tsx';
import { Mark } from './marks.tsx';
import type { BrandPlans, ChannelModel, InstallmentOption, Lang, PayModel } from './model.ts';
import { texts } from './texts.ts';

/** One channel's model and the page it stands on. */
export type SectionProps<Code extends ChannelModel['code']> = {
  page: PayModel;
  channel: Extract<ChannelModel, { code: Code }>;
};

function contextOf(page: PayModel, channel: ChannelModel): FormContext {
  return { lang: page.lang, channel: channel.code, form: page.form };
}

/** Card number, holder, expiry, code and e-mail; with installments for credit. */
export function CardSection({ page, channel }: SectionProps<'credit_card' | 'debit_card'>) {
  const words = texts[page.lang];
  const context = contextOf(page, channel);
  const amount = moneyText(page.lang, page.due.amount);
  // What a credit card pays in all depends on the installments: the script names it once chosen.
  const credit = channel.code === 'credit_card';
  return (
    <PostForm
      action={page.actions.pay}
      check={page.actions.check}
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
  const words = texts[page.lang];
  const context = contextOf(page, channel);
  return (
    <PostForm
      action={page.actions.pay}
      check={page.actions.check}
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
  const { width, height, path } = channel.drawing;
  return (
    <div class="qr">
      <svg
        class="qr-image"
        role="img"
        aria-label={words.image}
        viewBox={`-4 -4 ${width + 8} ${height + 8}`}
        shape-rendering="crispEdges"
      >
        <rect x="-4" y="-4" width={width + 8} height={height + 8} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
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
