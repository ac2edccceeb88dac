import type { PayerMailKind } from '../../payment-requests/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

interface MailTexts {
  title: string;
  lead: string;
  noServer: string;
  saved: string;
  onlyManagers: string;
  settings: Record<
    | 'title'
    | 'kinds'
    | 'days'
    | 'daysHint'
    | 'daysFault'
    | 'languages'
    | 'coupon'
    | 'couponLink'
    | 'couponFile'
    | 'choiceFault'
    | 'save'
    | 'on'
    | 'off'
    | 'since',
    string
  >;
  kinds: Record<PayerMailKind, string>;
  kindHints: Record<PayerMailKind, string>;
  languages: Record<'es' | 'en' | 'both', string>;
  texts: Record<
    | 'title'
    | 'mail'
    | 'language'
    | 'subject'
    | 'subjectHint'
    | 'body'
    | 'state'
    | 'own'
    | 'usual'
    | 'edit'
    | 'see'
    | 'back'
    | 'request'
    | 'requestHint'
    | 'requestFault'
    | 'preview'
    | 'previewLead'
    | 'asPage'
    | 'asText'
    | 'save'
    | 'reset'
    | 'resetLead',
    string
  > & { names: (names: string) => string };
  stops: {
    title: string;
    lead: string;
    unsubscribed: string;
    bounced: string;
  };
}

export const mailTexts: Readonly<Record<Lang, MailTexts>> = {
  es: {
    title: 'Correos a pagadores',
    lead: 'Qué reciben por correo quienes te pagan. Apagado hasta que lo enciendas.',
    noServer:
      'Este ambiente no tiene servidor de correo: lo que se manda queda en archivos y no le llega a nadie.',
    saved: 'Los cambios están guardados.',
    onlyManagers: 'Un titular o administrador puede cambiarlo.',
    settings: {
      title: 'Qué se manda',
      kinds: 'Correos',
      days: 'Días antes de cada vencimiento',
      daysHint: 'De 1 a 30. El recordatorio sale a las 9 de la mañana.',
      daysFault: 'Escribí un número entero de 1 a 30.',
      languages: 'Idioma',
      coupon: 'Cupón',
      couponLink: 'Como enlace',
      couponFile: 'Adjunto en PDF, además del enlace',
      choiceFault: 'Elegí una de las opciones.',
      save: 'Guardar',
      on: 'Encendido',
      off: 'Apagado',
      since: 'Vale para lo que se cree o se pague desde que lo encendés; lo anterior no se manda.',
    },
    kinds: { request: 'Aviso de cobro', reminder: 'Recordatorio', receipt: 'Comprobante' },
    kindHints: {
      request: 'Al crear un cobro con correo del pagador, con el enlace para pagar y el cupón.',
      reminder: 'Antes de cada vencimiento, si todavía no se pagó.',
      receipt: 'Por cada pago que entra, también si es tardío o repetido.',
    },
    languages: { es: 'Español', en: 'Inglés', both: 'Español, y debajo inglés' },
    texts: {
      title: 'Textos',
      mail: 'Correo',
      language: 'Idioma',
      subject: 'Asunto',
      subjectHint: 'Una sola línea.',
      body: 'Texto',
      state: 'Estado',
      own: 'Propio',
      usual: 'De siempre',
      edit: 'Editar',
      see: 'Ver',
      back: 'Correos a pagadores',
      request: 'Cobro para la vista previa',
      requestHint: 'El número de un cobro tuyo. Vacío: un ejemplo.',
      requestFault: 'No hay un cobro con ese número.',
      preview: 'Vista previa',
      previewLead: 'Así lo lee quien paga. Al pie va el enlace para no recibir más.',
      asPage: 'La carta como la recibe quien paga',
      asText: 'La misma carta, en texto solo',
      save: 'Guardar el texto',
      reset: 'Volver al texto de siempre',
      resetLead: 'Se pierde el texto propio de este correo en este idioma.',
      names: (names) => `Se completan solos: ${names}. Es texto simple: sin HTML.`,
    },
    stops: {
      title: 'Direcciones a las que no se manda',
      lead: 'Los comprobantes les llegan igual a quienes pidieron no recibir más.',
      unsubscribed: 'Pidieron no recibir más',
      bounced: 'Rebotaron',
    },
  },
  en: {
    title: 'Mails to payers',
    lead: 'What those who pay you get by mail. Off until you turn it on.',
    noServer:
      'This environment has no mail server: what is sent is kept in files and reaches nobody.',
    saved: 'The changes are saved.',
    onlyManagers: 'An owner or administrator can change it.',
    settings: {
      title: 'What is sent',
      kinds: 'Mails',
      days: 'Days before each due date',
      daysHint: 'From 1 to 30. Reminders go at 9 in the morning.',
      daysFault: 'Enter a whole number from 1 to 30.',
      languages: 'Language',
      coupon: 'Coupon',
      couponLink: 'As a link',
      couponFile: 'Attached as PDF, besides the link',
      choiceFault: 'Choose one of them.',
      save: 'Save',
      on: 'On',
      off: 'Off',
      since: 'For what is created or paid from when you turn it on; what was before is not sent.',
    },
    kinds: { request: 'Payment request', reminder: 'Reminder', receipt: 'Receipt' },
    kindHints: {
      request: 'When a request with a mail address is created, with its links to pay and print.',
      reminder: 'Before each due date, if it was not paid yet.',
      receipt: 'For each payment that comes in, also a late or a second one.',
    },
    languages: { es: 'Spanish', en: 'English', both: 'Spanish, and English below' },
    texts: {
      title: 'Texts',
      mail: 'Mail',
      language: 'Language',
      subject: 'Subject',
      subjectHint: 'One line.',
      body: 'Text',
      state: 'State',
      own: 'Your own',
      usual: 'The usual one',
      edit: 'Edit',
      see: 'See',
      back: 'Mails to payers',
      request: 'Request for the preview',
      requestHint: 'The number of a request of yours. Empty: an example.',
      requestFault: 'There is no request of this number.',
      preview: 'Preview',
      previewLead: 'As the payer reads it. The link to get no more stands at its end.',
      asPage: 'The letter as the payer gets it',
      asText: 'The same letter, as text alone',
      save: 'Save the text',
      reset: 'Back to the usual text',
      resetLead: 'Your own text of this mail in this language is lost.',
      names: (names) => `Filled in by themselves: ${names}. It is plain text: no HTML.`,
    },
    stops: {
      title: 'Addresses that get none',
      lead: 'Who asked for no more still gets receipts.',
      unsubscribed: 'Asked for no more',
      bounced: 'Bounced',
    },
  },
};
