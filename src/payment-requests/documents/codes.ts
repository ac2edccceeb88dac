import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'document.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The address is wrong or incomplete. Take it from `barcode_url` or `pdf_url`.',
    },
    'document.account_not_active': {
      kind: 'forbidden',
      parameters: {},
      help: 'The account is suspended or closed. Documents of requests that are no longer pending remain available.',
    },
  },
  { en, es },
);
