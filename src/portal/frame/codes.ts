import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'page.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The page does not exist, or your role does not let you see it. Go back to the list.',
    },
    'page.query_invalid': {
      kind: 'malformed',
      parameters: {},
      help: 'Someone changed the address by hand. Use the form on the page.',
    },
    'form.no_key': {
      kind: 'malformed',
      parameters: {},
      help: 'The form did not come from our page. Open the page again.',
    },
    'form.broken': {
      kind: 'malformed',
      parameters: {},
      help: 'The connection broke, or something changed the form on its way.',
    },
    'upload.too_large': {
      kind: 'too_large',
      parameters: { most: 'count' },
      help: 'Split the file.',
    },
    'upload.busy': {
      kind: 'unavailable',
      parameters: {},
      help: 'Other files are being uploaded. Send yours again in a moment.',
    },
  },
  { en, es },
);
