import type { ThreeDs } from '../../money/channels/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

interface ThreeDsTexts {
  results: Record<ThreeDs['result'], string>;
  liabilities: Record<ThreeDs['liability'], string>;
  liability: string;
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
  liability: '3-D Secure',
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
  liability: '3-D Secure',
};

export const threeDsTexts: Readonly<Record<Lang, ThreeDsTexts>> = { es, en };
