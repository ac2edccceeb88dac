import type { MandateKind } from '../../mandates/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { FieldWords } from '../frame/creating.tsx';

type Field =
  | 'adhesion_holder_name'
  | 'email'
  | 'external_reference'
  | 'description'
  | 'short_description'
  | 'cbu_number'
  | 'cbu_holder_name'
  | 'cbu_holder_id_number'
  | 'card_number'
  | 'card_holder_name';

interface NewTexts {
  ask: Record<MandateKind, string>;
  title: Record<MandateKind, string>;
  lead: string;
  other: Record<MandateKind, string>;
  submit: string;
  /** Why it was not created, where that is no field's fault. */
  refused: Record<'conflict' | 'unprocessable', string>;
  fields: FieldWords<Field>;
}

export const newTexts: Readonly<Record<Lang, NewTexts>> = {
  es: {
    ask: { adhesion: 'Nueva adhesión', card_adhesion: 'Nueva adhesión de tarjeta' },
    title: {
      adhesion: 'Nueva adhesión de cuenta bancaria',
      card_adhesion: 'Nueva adhesión de tarjeta',
    },
    lead: 'Le mandamos un mail al titular con un enlace para firmarla, que sirve 7 días.',
    other: { adhesion: 'De una cuenta bancaria', card_adhesion: 'De una tarjeta' },
    submit: 'Crear y mandar el enlace',
    refused: {
      conflict:
        'Hay demasiadas adhesiones sin firmar en esta cuenta: esperá a que se firmen, o cancelá alguna.',
      unprocessable:
        'Con este formulario ya se creó una adhesión con otros datos. Buscala en la lista antes de crear otra.',
    },
    fields: {
      adhesion_holder_name: {
        label: 'Nombre de quien se adhiere',
        fault: 'Completá el nombre, con hasta 50 caracteres.',
      },
      email: {
        label: 'Mail',
        hint: 'A esta dirección va el enlace para firmar.',
        fault: 'Completá un mail, como ana@example.com.',
      },
      external_reference: {
        label: 'Referencia',
        hint: 'Tu número de socio, cliente o contrato.',
        fault: 'La referencia puede tener hasta 255 caracteres, en una sola línea.',
      },
      description: {
        label: 'Concepto',
        hint: 'Lo lee el titular antes de firmar.',
        fault: 'Completá el concepto, con hasta 255 caracteres.',
      },
      short_description: {
        label: 'Concepto en el resumen',
        hint: 'Lo que muestra el banco, con hasta 50 caracteres.',
        fault: 'Completá el concepto del resumen, con hasta 50 caracteres.',
      },
      cbu_number: {
        label: 'CBU',
        hint: '22 números. Los CVU no se pueden debitar.',
        fault: 'Este CBU no es válido: son 22 números, y no puede ser un CVU. Revisalo.',
      },
      cbu_holder_name: {
        label: 'Titular de la cuenta bancaria',
        fault: 'Completá el nombre del titular de la cuenta.',
      },
      cbu_holder_id_number: {
        label: 'DNI, CUIT o CUIL del titular',
        fault: 'Completá un DNI de 7 u 8 números, o un CUIT o CUIL válido de 11.',
      },
      card_number: {
        label: 'Número de la tarjeta',
        hint: 'Si lo dejás vacío, el titular elige la tarjeta al firmar, donde eso está disponible.',
        fault: 'Este número de tarjeta no es válido, o no se puede debitar acá. Revisalo.',
      },
      card_holder_name: {
        label: 'Titular de la tarjeta',
        hint: 'Como figura en la tarjeta.',
        fault: 'Completá el nombre del titular de la tarjeta.',
      },
    },
  },
  en: {
    ask: { adhesion: 'New mandate', card_adhesion: 'New card mandate' },
    title: { adhesion: 'New mandate on a bank account', card_adhesion: 'New mandate on a card' },
    lead: 'We mail its holder a link to sign it, which is good for 7 days.',
    other: { adhesion: 'On a bank account', card_adhesion: 'On a card' },
    submit: 'Create and send the link',
    refused: {
      conflict:
        'Too many mandates of this account wait for a signature: wait until they are signed, or cancel some.',
      unprocessable:
        'This form created a mandate with other data before. Look for it in the list before you create another.',
    },
    fields: {
      adhesion_holder_name: { label: 'Name of the subscriber' },
      email: { label: 'E-mail', hint: 'The link to sign goes there.' },
      external_reference: { label: 'Reference', hint: 'Your number of the member or customer.' },
      description: { label: 'Description', hint: 'Its holder reads it before signing.' },
      short_description: {
        label: 'On the statement',
        hint: 'What the bank shows, of up to 50 characters.',
      },
      cbu_number: { label: 'CBU', hint: '22 digits. A CVU cannot be debited.' },
      cbu_holder_name: { label: 'Holder of the bank account' },
      cbu_holder_id_number: { label: 'DNI, CUIT or CUIL of the holder' },
      card_number: {
        label: 'Card number',
        hint: 'Left empty, its holder chooses the card while signing, where that is possible.',
      },
      card_holder_name: { label: 'Holder of the card', hint: 'As it stands on the card.' },
    },
  },
};
