import type { Lang } from '../../../platform/pages/model.ts';

/** The fields of the form, by the names that the API knows them by. */
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

interface NewTexts {
  readonly title: string;
  readonly lead: string;
  readonly list: string;
  readonly fields: Readonly<Record<FieldName, string>>;
  readonly hints: Readonly<Partial<Record<FieldName, string>>>;
  readonly second: string;
  readonly items: Readonly<
    Record<'title' | 'hint' | 'description' | 'quantity' | 'amount', string>
  >;
  readonly itemFault: (no: number, what: string) => string;
  readonly more: string;
  readonly preview: Readonly<
    Record<'submit' | 'title' | 'lead' | 'frame' | 'create' | 'edit' | 'total', string>
  >;
  readonly repeats: (id: number) => string;
  readonly made: string;
}

export const newTexts: Readonly<Record<Lang, NewTexts>> = {
  es: {
    title: 'Nuevo cobro',
    lead: 'Completá los datos. Antes de crearlo vas a ver la página que ve el pagador.',
    list: 'Cobros',
    fields: {
      payer_name: 'Nombre del pagador',
      payer_email: 'Correo del pagador',
      description: 'Concepto',
      external_reference: 'Tu referencia',
      first_due_date: 'Vencimiento',
      first_total: 'Importe',
      second_due_date: 'Segundo vencimiento',
      second_total: 'Importe al segundo vencimiento',
      excluded_channels: 'Medios de pago que se ofrecen',
      excluded_card_brands: 'Tarjetas que no se aceptan',
      excluded_installments: 'Cuotas que no se ofrecen',
      back_url_success: 'Adónde vuelve quien pagó',
      back_url_pending: 'Adónde vuelve si el pago quedó pendiente',
      back_url_rejected: 'Adónde vuelve si el pago se rechazó',
      metadata: 'Datos propios (JSON)',
    },
    hints: {
      description: 'Lo que lee el pagador: qué se le cobra.',
      external_reference: 'Para encontrarlo en tu sistema: número de socio, de factura.',
      first_total: 'En pesos, por ejemplo 1.430,50.',
      excluded_card_brands: 'Sin marcar ninguna se aceptan todas.',
      excluded_installments:
        'Cantidades separadas por comas, como 9, 12. Con 1 no se paga en un pago.',
      back_url_success: 'Una página de tu sitio, como https://ejemplo.com/gracias.',
      metadata: 'Un objeto JSON que guardamos con el cobro y devolvemos por la API.',
    },
    second: 'Segundo vencimiento',
    items: {
      title: 'Detalle de lo que se cobra',
      hint: 'Los renglones se muestran al pagador. El importe del cobro es el de arriba.',
      description: 'Renglón',
      quantity: 'Cantidad',
      amount: 'Importe del renglón',
    },
    itemFault: (no, what) => `${what}, renglón ${no}`,
    more: 'Más opciones',
    preview: {
      submit: 'Ver antes de crear',
      title: 'Así lo va a ver el pagador',
      lead: 'Todavía no se creó nada. Los códigos de esta vista no se pueden pagar.',
      frame: 'La página de pago, como la va a ver el pagador',
      create: 'Crear el cobro',
      edit: 'Corregir los datos',
      total: 'Importe',
    },
    repeats: (id) => `Ya tenés un cobro con esta referencia: el ${id}.`,
    made: 'Con este formulario ya se creó un cobro con otros datos, y no se creó otro. Si querés uno más, revisá los datos y envialo de nuevo.',
  },
  en: {
    title: 'New payment request',
    lead: 'Fill in the data. Before it is created you see the page that the payer sees.',
    list: 'Payment requests',
    fields: {
      payer_name: 'Payer name',
      payer_email: 'Payer e-mail',
      description: 'Concept',
      external_reference: 'Your reference',
      first_due_date: 'Due date',
      first_total: 'Amount',
      second_due_date: 'Second due date',
      second_total: 'Amount at the second due date',
      excluded_channels: 'Channels that are offered',
      excluded_card_brands: 'Cards that are not taken',
      excluded_installments: 'Installments that are not offered',
      back_url_success: 'Where the payer returns once paid',
      back_url_pending: 'Where he returns while the payment is pending',
      back_url_rejected: 'Where he returns if the payment was rejected',
      metadata: 'Data of your own (JSON)',
    },
    hints: {
      description: 'What the payer reads: what he is charged for.',
      external_reference: 'To find it in your system: number of a member, of an invoice.',
      first_total: 'In pesos, for example 1430.50.',
      excluded_card_brands: 'With none checked all are taken.',
      excluded_installments:
        'Counts with commas between them, like 9, 12. With 1 nobody pays at once.',
      back_url_success: 'A page of your site, like https://example.com/thanks.',
      metadata: 'A JSON object that is kept with the request and comes back over the API.',
    },
    second: 'Second due date',
    items: {
      title: 'Detail of what is charged',
      hint: 'The lines are shown to the payer. The amount of the request is the one above.',
      description: 'Line',
      quantity: 'Quantity',
      amount: 'Amount of the line',
    },
    itemFault: (no, what) => `${what}, line ${no}`,
    more: 'More options',
    preview: {
      submit: 'Look before it is created',
      title: 'This is what the payer will see',
      lead: 'Nothing was created yet. The codes of this view cannot be paid.',
      frame: 'The payment page, as the payer will see it',
      create: 'Create the request',
      edit: 'Correct the data',
      total: 'Amount',
    },
    repeats: (id) => `You have a request with this reference already: ${id}.`,
    made: 'With this form a request with other data was created already, and no other one. If you want one more, check the data and send it again.',
  },
};
