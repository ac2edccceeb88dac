import type { Lang } from '../../platform/pages/model.ts';
import type { CardField } from './model.ts';

interface Words {
  title: string;
  fields: Record<CardField, { label: string; hint: string | null; fault: string }>;
  /** Where there are no scripts: hands the card over. */
  use: string;
  away: string;
}

/** What the frame says, in both languages. */
export const words: Record<Lang, Words> = {
  es: {
    title: 'Datos de la tarjeta',
    fields: {
      number: {
        label: 'Número de tarjeta',
        hint: null,
        fault: 'El número de tarjeta no es válido. Revisá que esté completo.',
      },
      holder: {
        label: 'Nombre y apellido',
        hint: 'Como figura en la tarjeta',
        fault: 'Escribí el nombre como figura en la tarjeta.',
      },
      expiry: {
        label: 'Vencimiento',
        hint: 'MM/AA',
        fault: 'Revisá el vencimiento: mes y año, por ejemplo 08/30.',
      },
      code: {
        label: 'Código de seguridad',
        hint: '3 dígitos al dorso; en American Express, 4 al frente',
        fault: 'El código de seguridad tiene 3 dígitos (4 en American Express).',
      },
    },
    use: 'Usar esta tarjeta',
    away: 'No pudimos validar la tarjeta. Probá de nuevo en un minuto.',
  },
  en: {
    title: 'Card details',
    fields: {
      number: {
        label: 'Card number',
        hint: null,
        fault: 'This card number is not valid. Check that it is complete.',
      },
      holder: {
        label: 'Full name',
        hint: 'As it appears on the card',
        fault: 'Enter the name as it appears on the card.',
      },
      expiry: {
        label: 'Expiry date',
        hint: 'MM/YY',
        fault: 'Check the expiry: month and year, for example 08/30.',
      },
      code: {
        label: 'Security code',
        hint: '3 digits on the back; 4 on the front of American Express',
        fault: 'The security code has 3 digits (4 on American Express).',
      },
    },
    use: 'Use this card',
    away: 'The card could not be validated. Try again in a minute.',
  },
};
