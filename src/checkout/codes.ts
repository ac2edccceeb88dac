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
      help: 'Card numbers go from the browser directly to the acquirer, so the form must not contain one elsewhere, such as in a name, phone or reference. Remove it.',
    },
  },
  { en, es },
);
