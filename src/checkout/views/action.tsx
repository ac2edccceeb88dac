import { moneyText } from '../../platform/pages/format.ts';
import { Steps } from './channels-online.tsx';
import { CopyButton } from './copy.tsx';
import type { ActionModel } from './model.ts';
import { notice } from './outcome.tsx';
import { QrImage } from './qr-image.tsx';
import { texts } from './texts.ts';

function Body({ model }: { model: ActionModel }) {
  const { action, lang } = model;
  const words = texts[lang].action;
  switch (action.kind) {
    case 'redirect':
      return (
        <p>
          <a class="button" href={action.url} rel="noreferrer">
            {words.goOn}
          </a>
        </p>
      );
    case 'frame':
      return (
        <div class="connector-frame connector-step">
          <iframe
            src={action.url}
            title={words.frame}
            data-step={action.origin}
            data-done={model.doneUrl}
            allow="publickey-credentials-get"
          />
        </div>
      );
    case 'show_qr':
      return (
        <div class="qr">
          {action.drawing && <QrImage drawing={action.drawing} label={texts[lang].qr.image} />}
          <Steps steps={texts[lang].qr.steps} />
          <CopyButton lang={lang} label={texts[lang].qr.text} value={action.text} />
        </div>
      );
  }
}

/**
 * Renders the payer's pending step, with a link that checks whether it is done, and a button that
 * cancels it if the channel can.
 */
export function actionPage(model: ActionModel): string {
  const { lang, action } = model;
  const words = texts[lang].action;
  return notice(
    model,
    'wait',
    words.title[action.kind],
    <>
      <p class="lead">{words.lead[action.kind]({ amount: moneyText(lang, model.amount) })}</p>
      <Body model={model} />
      <p>
        <a class="button button-quiet" href={model.doneUrl}>
          {words.done}
        </a>
      </p>
      {model.cancelUrl !== undefined && (
        <form method="post" action={model.cancelUrl}>
          <button type="submit" class="button button-quiet">
            {words.callOff}
          </button>
        </form>
      )}
    </>,
  );
}
