import type { ComponentChildren } from 'preact';
import { DialogLink } from '../../platform/pages/components/dialog.tsx';
import { TextField } from '../../platform/pages/components/field.tsx';
import { Facts, Notice } from '../../platform/pages/components/parts.tsx';
import { dayText, momentText, moneyText, paidText } from '../../platform/pages/format.ts';
import { stateOn } from '../../requests/index.ts';
import { Disputes } from '../disputes/table.tsx';
import { threeDsName, threeDsText } from '../disputes/three-ds.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { RequestBadge } from '../frame/states.tsx';
import { HistoryLink } from '../history/views.tsx';
import type { QrDetails } from './model.ts';
import { qrTexts } from './texts.ts';

export interface Images {
  image_url: string;
  image_svg_url: string;
}

type PictureProps = {
  visit: AccountVisit;
  id: string;
  images: Images;
  sheet: string;
  children?: ComponentChildren;
};

export function Picture({ visit: { lang, at }, id, images, sheet, children }: PictureProps) {
  const { image, images: texts } = qrTexts[lang];
  return (
    <figure class="qr-picture">
      <img src={images.image_svg_url} alt={image({ id })} width="240" height="240" />
      <figcaption class="actions">
        <a href={images.image_url} download={`${id}.png`}>
          {texts.png}
        </a>
        <a href={images.image_svg_url} download={`${id}.svg`}>
          {texts.svg}
        </a>
        <a href={at(sheet)}>{texts.sheet}</a>
        {children}
      </figcaption>
    </figure>
  );
}

const bdi = (text: string): ComponentChildren => <bdi>{text}</bdi>;

const present = (items: readonly (readonly [string, ComponentChildren] | false)[]) =>
  items.filter((one) => one !== false);

interface QrModel extends QrDetails {
  /** Null if this deployment creates no images. */
  images: Images | null;
  refused?: boolean;
}

export function qrPage(visit: AccountVisit, model: QrModel): Page {
  const { found, images, today, threeDs, refused } = model;
  const { lang, at } = visit;
  const texts = qrTexts[lang];
  const { row, money } = found;
  const state = stateOn(row, today);
  const edits = state === 'pending' && visit.may('qr.edit') && visit.account.state === 'active';
  return {
    title: row.payer,
    status: refused ? 409 : 200,
    body: (
      <>
        <PageHead
          title={row.payer}
          lead={<RequestBadge lang={lang} state={state} />}
          up={{ href: at('/qr'), label: texts.title }}
          actions={
            <>
              <HistoryLink visit={visit} path={`/qr/${row.code}`} />
              {edits && (
                <>
                  <a class="button button-quiet" href={at(`/qr/${row.code}/edit`)}>
                    {texts.actions.edit}
                  </a>
                  <DialogLink href={at(`/qr/${row.code}/delete`)}>
                    {texts.actions.remove}
                  </DialogLink>
                </>
              )}
            </>
          }
        />
        {refused && <Notice tone="bad" text={texts.refused} />}
        {images !== null && state === 'pending' && (
          <Picture
            visit={visit}
            id={row.code}
            images={images}
            sheet={`/qr/sheet.html?id=${row.code}`}
          />
        )}
        <Facts
          items={present([
            [texts.facts.id, <span class="code">{row.code}</span>],
            [texts.facts.description, bdi(row.description)],
            [texts.facts.first, `${dayText(lang, row.due1)}, ${moneyText(lang, row.total1)}`],
            row.due2 !== null &&
              row.total2 !== null && [
                texts.facts.second,
                `${dayText(lang, row.due2)}, ${moneyText(lang, row.total2)}`,
              ],
            row.reference !== null && [texts.facts.reference, bdi(row.reference)],
            [texts.facts.city, bdi(row.details.city)],
            [texts.facts.many, row.details.multiple_payment ? texts.yes : texts.no],
            [texts.facts.created, momentText(lang, row.created_at)],
            money.payments > 0 && [texts.facts.payments, money.payments],
            money.paid_at !== null && [texts.facts.paid, paidText(lang, money.paid_at)],
            threeDs !== null && [threeDsName, threeDsText(lang, threeDs)],
          ])}
        />
        <Disputes lang={lang} now={model.now} rows={model.disputes} />
      </>
    ),
  };
}

/** Renders the form that chooses QRs for a printed sheet. */
export function sheetPage({ lang, at }: AccountVisit): Page {
  const { sheet: texts, title } = qrTexts[lang];
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} up={{ href: at('/qr'), label: title }} />
        <form method="get" action={at('/qr/sheet.html')} class="form">
          <TextField
            lang={lang}
            name="since"
            type="date"
            label={texts.since}
            hint={texts.sinceHint}
            optional
          />
          <p class="form-buttons">
            <button type="submit" class="button">
              {texts.submit}
            </button>
          </p>
        </form>
      </>
    ),
  };
}
