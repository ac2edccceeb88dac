import type { Lang } from '../../platform/pages/model.ts';
import type { FieldWords } from '../frame/creating.tsx';

type Field =
  | 'first_due_date'
  | 'first_total'
  | 'second_due_date'
  | 'second_total'
  | 'period'
  | 'amount'
  | 'description'
  | 'external_reference';

interface NewTexts {
  title: string;
  submit: string;
  earliest: (day: string) => string;
  period: (month: string) => string;
  refused: Record<'conflict' | 'unprocessable' | 'mandate', string>;
  fields: FieldWords<Field>;
}

const amountFault = 'Completá un importe, como 1430,50: hasta 8 cifras y 2 decimales.';

export const newTexts: Readonly<Record<Lang, NewTexts>> = {
  es: {
    title: 'Nuevo débito',
    submit: 'Crear el débito',
    earliest: (day) => `Desde el ${day}: los bancos necesitan saberlo antes.`,
    period: (month) => `Desde ${month}: los anteriores ya cerraron.`,
    refused: {
      conflict: 'La adhesión ya no está firmada: no se puede debitar con ella.',
      unprocessable:
        'Con este formulario ya se creó un débito con otros datos. Buscalo en la lista antes de crear otro.',
      mandate: 'Con esta adhesión no se puede debitar ahora. Avisanos si sigue así.',
    },
    fields: {
      first_due_date: {
        label: 'Vencimiento',
        fault: 'Elegí un día que los bancos alcancen a saber, como dice arriba.',
      },
      first_total: { label: 'Importe', fault: amountFault },
      second_due_date: {
        label: 'Segundo vencimiento',
        hint: 'Si en el primero falta saldo, se vuelve a intentar este día.',
        fault: 'El segundo vencimiento va después del primero, y con su importe.',
      },
      second_total: {
        label: 'Importe del segundo vencimiento',
        fault: 'Completá el importe del segundo vencimiento, igual o mayor que el primero.',
      },
      period: { label: 'Mes del débito', fault: 'Elegí un mes que no haya cerrado.' },
      amount: { label: 'Importe', fault: amountFault },
      description: {
        label: 'Concepto',
        hint: 'Vacío, el de la adhesión.',
        fault: 'El concepto puede tener hasta 255 caracteres.',
      },
      external_reference: {
        label: 'Referencia',
        hint: 'Vacía, la de la adhesión.',
        fault: 'La referencia puede tener hasta 255 caracteres, en una sola línea.',
      },
    },
  },
  en: {
    title: 'New debit',
    submit: 'Create the debit',
    earliest: (day) => `From ${day} on: banks need to know before.`,
    period: (month) => `From ${month} on: those before are closed.`,
    refused: {
      conflict: 'The mandate is signed no more: nothing can be debited by it.',
      unprocessable:
        'This form created a debit with other data before. Look for it in the list before you create another.',
      mandate: 'Nothing can be debited by this mandate now. Tell us if it stays so.',
    },
    fields: {
      first_due_date: { label: 'Due' },
      first_total: { label: 'Amount' },
      second_due_date: {
        label: 'Second due',
        hint: 'Where there is too little money on the first, it is tried again on this day.',
      },
      second_total: { label: 'Amount of the second due' },
      period: { label: 'Month of the debit' },
      amount: { label: 'Amount' },
      description: { label: 'Description', hint: 'Empty: that of the mandate.' },
      external_reference: { label: 'Reference', hint: 'Empty: that of the mandate.' },
    },
  },
};
