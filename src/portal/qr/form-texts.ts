import type { Lang } from '../../platform/pages/model.ts';
import type { FieldWords } from '../frame/creating.tsx';

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

interface FormTexts {
  titles: Record<'dynamic' | 'static' | 'edit', string>;
  submits: Record<'dynamic' | 'static' | 'edit', string>;
  blankStays: string;
  many: string;
  /** The form was sent before, with other data. */
  sentBefore: string;
  fields: FieldWords<FieldName>;
}

const amount = 'Completá un importe desde 10 pesos, como 1430,50.';
const line = (most: number): string => `Completá este dato, con hasta ${most} caracteres.`;

export const formTexts: Readonly<Record<Lang, FormTexts>> = {
  es: {
    titles: { dynamic: 'Nuevo QR', static: 'Nuevo QR de mostrador', edit: 'Cambiar el QR' },
    submits: { dynamic: 'Crear el QR', static: 'Crear el QR', edit: 'Guardar' },
    blankStays: 'Lo que dejes vacío queda como está.',
    many: 'Se puede pagar muchas veces',
    sentBefore:
      'Con este formulario ya se creó un QR con otros datos. Buscalo en la lista antes de crear otro.',
    fields: {
      id: {
        label: 'Código',
        hint: 'Para reconocerlo: de 1 a 16 letras, números o guiones. No se repite nunca.',
        fault: 'De 1 a 16 letras sin acentos, números o guiones.',
      },
      payer_name: { label: 'Para quién', fault: line(255) },
      description: { label: 'Concepto', fault: 'Completá el concepto, de 2 a 500 caracteres.' },
      first_total: { label: 'Importe', fault: amount },
      first_due_date: { label: 'Vence', fault: 'Elegí un día desde hoy.' },
      second_due_date: {
        label: 'Segundo vencimiento',
        fault: 'El segundo vencimiento va después del primero, y con su importe.',
      },
      second_total: {
        label: 'Importe del segundo vencimiento',
        fault: 'Completá el importe del segundo vencimiento, igual o mayor que el primero.',
      },
      external_reference: { label: 'Referencia', fault: line(255) },
      qr_type: { label: 'Quién pone el importe', fault: 'Elegí quién pone el importe.' },
      qr_name: {
        label: 'Nombre en la billetera',
        hint: 'Lo que ve quien paga, con hasta 15 caracteres.',
        fault: line(15),
      },
      city: { label: 'Ciudad', hint: 'Con hasta 15 caracteres.', fault: line(15) },
      postal_code: { label: 'Código postal', fault: line(10) },
      payer_email: { label: 'Mail del pagador', fault: 'Completá un mail, como ana@example.com.' },
      multiple_payment: {
        label: 'Pagos',
        fault: 'Ya se pagó como QR de muchos pagos: tiene que seguir así.',
      },
    },
  },
  en: {
    titles: { dynamic: 'New QR', static: 'New counter QR', edit: 'Change the QR' },
    submits: { dynamic: 'Create the QR', static: 'Create the QR', edit: 'Save' },
    blankStays: 'What you leave empty stays as it is.',
    many: 'It can be paid many times',
    sentBefore:
      'This form created a QR with other data before. Look for it in the list before you create another.',
    fields: {
      id: {
        label: 'Code',
        hint: 'To know it by: 1 to 16 letters, digits or dashes. Never used twice.',
      },
      payer_name: { label: 'For whom' },
      description: { label: 'Description' },
      first_total: { label: 'Amount' },
      first_due_date: { label: 'Due' },
      second_due_date: { label: 'Second due' },
      second_total: { label: 'Amount of the second due' },
      external_reference: { label: 'Reference' },
      qr_type: { label: 'Who writes the amount' },
      qr_name: { label: 'Name in the wallet', hint: 'What the payer sees, up to 15 characters.' },
      city: { label: 'City', hint: 'Up to 15 characters.' },
      postal_code: { label: 'Postal code' },
      payer_email: { label: 'E-mail of the payer' },
      multiple_payment: { label: 'Payments' },
    },
  },
};
