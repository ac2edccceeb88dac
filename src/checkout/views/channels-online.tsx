import { moneyText } from '../../platform/pages/format.ts';
import { ElsewhereForm } from './cards.tsx';
import { CopyButton } from './copy.tsx';
import { contextOf, PostForm, TextField } from './fields.tsx';
import type { ChannelModel, PayModel } from './model.ts';
import { PayerFactFields } from './payer-fact-fields.tsx';
import { QrImage } from './qr-image.tsx';
import { texts } from './texts.ts';

export type SectionProps<Code extends ChannelModel['code']> = {
  page: PayModel;
  channel: Extract<ChannelModel, { code: Code }>;
};

/** Renders the form for a DEBIN: account and holder, or the way to the bank's page. */
export function DebinSection({ page, channel }: SectionProps<'DEBIN'>) {
  const { code, way } = channel;
  if (way.kind === 'redirect')
    return <ElsewhereForm page={page} code={code} way={way} scope={code} />;
  const words = texts[page.lang];
  const context = contextOf(page, channel.code);
  return (
    <PostForm
      action={page.actions.pay}
      check={page.actions.check}
      language={page.actions.language}
      lang={page.lang}
      channel={channel.code}
      label={words.debin.submit({ amount: moneyText(page.lang, page.due.amount) })}
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
        <PayerFactFields context={context} asks={way.asks.filter((one) => one !== 'id_number')} />
      </div>
    </PostForm>
  );
}

/** Renders the QR code, to scan with a wallet, save as an image, or copy on the same phone. */
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

export function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol class="steps">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
