import { catalog } from '../../language/catalog.ts';
import en from './form-texts.en.json' with { type: 'json' };
import es from './form-texts.es.json' with { type: 'json' };

export type FieldName =
  | 'id'
  | 'payer_name'
  | 'description'
  | 'first_total'
  | 'first_due_date'
  | 'second_due_date'
  | 'second_total'
  | 'external_reference'
  | 'qr_type'
  | 'qr_name'
  | 'city'
  | 'postal_code'
  | 'payer_email'
  | 'multiple_payment';

export const formTexts = catalog({ en, es });
