import type { Account } from '../accounts/index.ts';
import { allows, type PaymentRequestRow } from '../payment-requests/index.ts';
import { type CheckoutParts, payModel, type Visit } from './page.ts';
import type { ChannelModel, Lang, PayModel, Way } from './views/model.ts';
import { payPage } from './views/pay.tsx';

/** A link without a target. */
const nowhere = '#';

/** Removes the content of an acquirer's frame. */
const emptied = (way: Way): Way =>
  way.kind === 'frame' ? { ...way, url: 'about:blank', plain: true } : way;

function unusable(channel: ChannelModel): ChannelModel {
  if ('takers' in channel) {
    return {
      ...channel,
      takers: channel.takers.map((taker) => ({ ...taker, way: emptied(taker.way) })),
    };
  }
  switch (channel.code) {
    case 'DEBIN':
      return { ...channel, way: emptied(channel.way) };
    case 'qr':
      return { ...channel, imageUrl: nowhere };
    case 'non_banking':
      return { ...channel, barcodeUrl: nowhere, pdfUrl: nowhere };
    default:
      return channel;
  }
}

/** Returns a sample account for transfers, because no account is opened for a draft. */
const sampleAccounts = ({ offer }: Pick<CheckoutParts, 'offer'>) => ({
  areOpened: () => false,
  async cvuOf(row: PaymentRequestRow): Promise<string | null> {
    return offer.wire_transfer && allows(row, 'wire_transfer') ? '0'.repeat(22) : null;
  },
});

export interface Draft {
  row: PaymentRequestRow;
  account: Account;
  lang: Lang;
}

/**
 * Renders the checkout of a draft request: the same view of the same model, without scripts and
 * with inert links and forms.
 */
export async function previewPage(
  { row, account, lang }: Draft,
  parts: Omit<CheckoutParts, 'transferAccounts'>,
): Promise<string> {
  const visit: Visit = {
    attempt: null,
    row,
    results: [],
    account,
    token: 'draft',
    lang,
    today: parts.business.today(),
  };
  const model = await payModel(
    visit,
    { ...parts, transferAccounts: sampleAccounts(parts), testCards: [], sandbox: false },
    null,
  );
  const previewModel: PayModel = {
    ...model,
    assets: { css: model.assets.css },
    pageUrl: nowhere,
    channels: model.channels.map(unusable),
    actions: { pay: nowhere, check: nowhere, language: nowhere },
  };
  return payPage(previewModel);
}
