import { catalog } from '../../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Fields of the form, by their names in the API. */
export type FieldName =
  | 'payer_name'
  | 'payer_email'
  | 'description'
  | 'external_reference'
  | 'first_due_date'
  | 'first_total'
  | 'second_due_date'
  | 'second_total'
  | 'excluded_channels'
  | 'excluded_card_brands'
  | 'excluded_installments'
  | 'back_url_success'
  | 'back_url_pending'
  | 'back_url_rejected'
  | 'metadata';

export const newTexts = catalog(
  { en, es },
  { itemFault: { no: 'count', what: 'text' }, repeats: { id: 'count' } },
);
