import type { PictureFault, ProfileField } from '../../accounts/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

type Words = Readonly<Record<string, string>>;

interface SettingTexts {
  title: string;
  lead: string;
  saved: string;
  change: string;
  save: string;
  none: string;
  profile: Record<
    'title' | 'lead' | 'name' | 'nameHint' | 'nameFault' | 'cuit' | 'cuitHint',
    string
  >;
  fields: Record<ProfileField, string>;
  hints: Record<ProfileField, string>;
  faults: Record<ProfileField, string>;
  look: Record<
    | 'title'
    | 'lead'
    | 'logo'
    | 'logoHint'
    | 'noLogo'
    | 'anotherLogo'
    | 'presentLogo'
    | 'removeLogo'
    | 'accent'
    | 'accentHint'
    | 'accentFormat'
    | 'ownAccent'
    | 'preview'
    | 'day'
    | 'night'
    | 'pay'
    | 'link',
    string
  > & {
    accentWeak: (ratio: string, nearest: string) => string;
    pictures: Record<PictureFault, string>;
  };
  /** A name or logo that an operator has not approved yet. */
  waiting: Record<
    'title' | 'lead' | 'saved' | 'inForm' | 'newLogo' | 'noLogo' | 'withdraw',
    string
  >;
  mails: Words & { title: string; lead: string; see: string };
  users: Words & { title: string; lead: string; see: string };
}

export const settingTexts: Readonly<Record<Lang, SettingTexts>> = {
  es: {
    title: 'Ajustes',
    lead: 'Los datos de la cuenta, y cómo la ven quienes pagan.',
    saved: 'Los cambios quedaron guardados.',
    change: 'Cambiar',
    save: 'Guardar',
    none: '—',
    profile: {
      title: 'Datos de la cuenta',
      lead: 'Se ven en la página de pago, en los cupones, en los correos y al firmar una adhesión.',
      name: 'Nombre que ven los pagadores',
      nameHint: 'Hasta 100 caracteres. También es el nombre en los QR que se creen desde ahora.',
      nameFault: 'Escribí un nombre de 1 a 100 caracteres, en un renglón.',
      cuit: 'CUIT',
      cuitHint: 'Lo cambia quien opera el servicio: de él dependen las retenciones.',
    },
    fields: {
      legal_name: 'Razón social',
      address: 'Domicilio',
      email: 'Correo para consultas',
      phone: 'Teléfono',
      sender: 'Remitente de los correos',
    },
    hints: {
      legal_name: 'Si es distinta del nombre.',
      address: 'Calle, número y localidad.',
      email: 'Las respuestas a los correos llegan acá.',
      phone: 'Con código de área, por ejemplo 0341 423-5000.',
      sender: 'Sin completar, el nombre de la cuenta.',
    },
    faults: {
      legal_name: 'Tiene que ser un renglón de hasta 100 caracteres.',
      address: 'Tiene que ser un renglón de hasta 150 caracteres.',
      email: 'Escribí un correo, como consultas@ejemplo.com.',
      phone: 'Escribí un teléfono con números, espacios y guiones.',
      sender: 'Hasta 60 caracteres, sin @ ni signos como comas, comillas o dos puntos.',
    },
    look: {
      title: 'Apariencia',
      lead: 'El logo y el color de tus páginas de pago, cupones y firmas.',
      logo: 'Logo',
      logoHint: 'PNG o JPEG, hasta 256 KB, de 16 a 1000 píxeles por lado.',
      noLogo: 'Sin logo',
      anotherLogo: 'Otro logo. Si vos elegiste uno, elegilo de nuevo.',
      presentLogo: 'Logo de ahora',
      removeLogo: 'Sacar el logo',
      accent: 'Color',
      accentHint: 'Como #0b6b5d. Sin completar, el de Recaudo.',
      accentFormat: 'Escribí el color como #0b6b5d: seis cifras o letras de la a a la f.',
      ownAccent: 'El de Recaudo',
      preview: 'Así se ve',
      day: 'De día',
      night: 'De noche',
      pay: 'Pagar',
      link: 'Comprobante',
      accentWeak: (ratio, nearest) =>
        `El contraste con el fondo claro es de ${ratio} a 1, y hace falta al menos 4,5 a 1. El más parecido que alcanza: ${nearest}.`,
      pictures: {
        empty: 'Elegí un archivo.',
        large: 'El archivo tiene más de 256 KB.',
        svg: 'Es un SVG o una página, que puede llevar programas: exportalo como PNG.',
        kind: 'No es un PNG ni un JPEG.',
        sides: 'Cada lado tiene que tener de 16 a 1000 píxeles.',
        broken: 'La imagen está dañada o incompleta: guardala de nuevo.',
        shape:
          'Guardala como PNG de 8 bits sin entrelazar, o como JPEG en RGB: así la leen todos los programas.',
      },
    },
    waiting: {
      title: 'Espera aprobación',
      lead: 'Quien opera el servicio revisa los nombres y el logo antes de que los vean los pagadores. Hasta entonces se ve lo de ahora.',
      saved:
        'El nombre o el logo nuevo espera la aprobación de quien opera el servicio. Lo demás quedó guardado.',
      inForm: 'Hay cambios que esperan aprobación. Este formulario los muestra.',
      newLogo: 'Un logo nuevo',
      noLogo: 'Sin logo',
      withdraw: 'Retirar el pedido',
    },
    mails: {
      title: 'Correos a pagadores',
      lead: 'Qué correos reciben quienes pagan, cuándo y con qué palabras.',
      see: 'Ver correos',
    },
    users: {
      title: 'Usuarios',
      lead: 'Quiénes trabajan para esta cuenta, y qué pueden hacer.',
      see: 'Ver usuarios',
    },
  },
  en: {
    title: 'Settings',
    lead: 'What the account says of itself, and how payers see it.',
    saved: 'The changes were saved.',
    change: 'Change',
    save: 'Save',
    none: '—',
    profile: {
      title: 'Details of the account',
      lead: 'Shown on the checkout, on coupons, in letters and where mandates are signed.',
      name: 'Name that payers see',
      nameHint: 'Up to 100 characters. QRs that are made from now on bear it too.',
      nameFault: 'Enter a name of 1 to 100 characters, on one line.',
      cuit: 'Tax ID (CUIT)',
      cuitHint: 'Whoever operates the service changes it: withholdings follow from it.',
    },
    fields: {
      legal_name: 'Registered name',
      address: 'Address',
      email: 'E-mail address for questions',
      phone: 'Telephone',
      sender: 'Sender of letters',
    },
    hints: {
      legal_name: 'If it is another one.',
      address: 'Street, number and town.',
      email: 'Answers to letters come here.',
      phone: 'With its area code, such as 0341 423-5000.',
      sender: 'Left empty: the name of the account.',
    },
    faults: {
      legal_name: 'It must be one line of up to 100 characters.',
      address: 'It must be one line of up to 150 characters.',
      email: 'Enter an address, such as questions@example.com.',
      phone: 'Enter a telephone number of digits, spaces and hyphens.',
      sender: 'Up to 60 characters, without @ or signs such as commas, quotes or colons.',
    },
    look: {
      title: 'Appearance',
      lead: 'Logo and colour of your checkout, coupons and signing pages.',
      logo: 'Logo',
      logoHint: 'PNG or JPEG, up to 256 KB, 16 to 1000 pixels a side.',
      noLogo: 'No logo',
      anotherLogo: 'Another logo. If you chose one, choose it again.',
      presentLogo: 'Present logo',
      removeLogo: 'Remove the logo',
      accent: 'Colour',
      accentHint: 'Such as #0b6b5d. Left empty: that of Recaudo.',
      accentFormat: 'Enter the colour as #0b6b5d: six digits or letters from a to f.',
      ownAccent: 'That of Recaudo',
      preview: 'How it looks',
      day: 'By day',
      night: 'By night',
      pay: 'Pay',
      link: 'Receipt',
      accentWeak: (ratio, nearest) =>
        `Its contrast with light grounds is ${ratio} to 1, and at least 4.5 to 1 is needed. The nearest that has it: ${nearest}.`,
      pictures: {
        empty: 'Choose a file.',
        large: 'The file has more than 256 KB.',
        svg: 'This is an SVG or a page, which may hold programs: export it as PNG.',
        kind: 'This is neither a PNG nor a JPEG.',
        sides: 'Each side must have 16 to 1000 pixels.',
        broken: 'The picture is damaged or cut off: save it again.',
        shape:
          'Save it as a PNG of 8 bits without interlacing, or as a JPEG in RGB: all programs read those.',
      },
    },
    waiting: {
      title: 'Waiting for approval',
      lead: 'An operator of the service looks at names and logos before payers see them. Until then payers see the present ones.',
      saved: 'The new name or logo waits for an operator to approve it. The rest was saved.',
      inForm: 'Some changes wait for approval. This form shows them.',
      newLogo: 'A new logo',
      noLogo: 'No logo',
      withdraw: 'Withdraw the request',
    },
    mails: {
      title: 'Mails to payers',
      lead: 'Which mails those who pay get, when and in which words.',
      see: 'See mails',
    },
    users: {
      title: 'Users',
      lead: 'Who works for this account, and what each may do.',
      see: 'See users',
    },
  },
};
