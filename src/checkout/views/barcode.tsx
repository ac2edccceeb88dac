import { grouped, moneyText } from '../../platform/pages/format.ts';
import { htmlDocument, localized } from '../../platform/pages/shell.tsx';
import type { BarcodeModel } from './model.ts';
import { texts } from './texts.ts';

/** Both symbologies require ten white modules on either side. */
const quiet = 10;

/** Renders the barcode along the screen's longer side, for a till's scanner. */
export function barcodePage(model: BarcodeModel): string {
  const words = texts[model.lang].cash;
  const { width, height, path } = model.drawing;
  return htmlDocument({
    page: model,
    title: `${words.image} – ${texts[model.lang].request} ${model.id}`,
    bare: true,
    children: (
      <div class="scan">
        <h1 class="unseen">{words.image}</h1>
        <p class="scan-head">
          <bdi>{model.issuer.name}</bdi>
          <span>
            {texts[model.lang].request} {model.id}
          </span>
          <strong>{moneyText(model.lang, model.amount)}</strong>
        </p>
        <svg
          class="scan-bars"
          viewBox={`${-quiet} 0 ${width + 2 * quiet} ${height}`}
          preserveAspectRatio="none"
          shape-rendering="crispEdges"
          role="img"
          aria-label={`${words.image}: ${model.barcode}`}
        >
          <path d={path} fill="#000" />
        </svg>
        <p class="scan-digits code">{grouped(model.barcode)}</p>
        <p class="scan-foot">
          <a href={localized(model)}>{words.close}</a>
          <button type="button" class="copy" hidden data-full-screen>
            {words.fullScreen}
          </button>
          <span>{words.largeNote}</span>
        </p>
      </div>
    ),
  });
}
