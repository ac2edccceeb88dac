import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'checkout.channel_unknown': {
      kind: 'malformed',
      parameters: {},
      help: 'The form did not come from our page. Open the checkout again and choose a payment method.',
    },
    'checkout.card_number_sent': {
      kind: 'malformed',
      parameters: {},
      help: 'Card numbers go from the browser directly to the acquirer, and the service discards any other. Names, phones and references must not contain one.',
    },
  },
  { en, es },
);
