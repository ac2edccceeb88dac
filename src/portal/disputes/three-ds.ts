import type { ThreeDs } from '../../money/channels/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

interface ThreeDsTexts {
  results: Record<ThreeDs['result'], string>;
  liabilities: Record<ThreeDs['liability'], string>;
}

const es: ThreeDsTexts = {
  results: {
    authenticated: 'autenticado',
    attempted: 'intentado',
    not_enrolled: 'tarjeta sin adherir',
    failed: 'falló',
    unavailable: 'no disponible',
  },
  liabilities: {
    issuer: 'Un fraude lo paga el emisor',
    merchant: 'Un fraude lo paga el comercio',
  },
};

const en: ThreeDsTexts = {
  results: {
    authenticated: 'authenticated',
    attempted: 'attempted',
    not_enrolled: 'card not enrolled',
    failed: 'failed',
    unavailable: 'unavailable',
  },
  liabilities: {
    issuer: 'The issuer bears a fraud',
    merchant: 'The merchant bears a fraud',
  },
};

const texts: Readonly<Record<Lang, ThreeDsTexts>> = { es, en };

/** What people call it, in every language. */
export const threeDsName = '3-D Secure';

/** Who bears the loss of a fraud. */
export const liabilityText = (lang: Lang, { liability }: ThreeDs): string =>
  texts[lang].liabilities[liability];

/** What 3-D Secure came to, and who bears the loss of a fraud. */
export const threeDsText = (lang: Lang, told: ThreeDs): string =>
  `${texts[lang].results[told.result]}. ${liabilityText(lang, told)}`;
