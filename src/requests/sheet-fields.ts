import { sheetField } from '../platform/spreadsheets/fields.ts';

/** Columns of spreadsheets of requests, with their usual headings. */
export const sheetFields = {
  payer: sheetField(
    'payer_name',
    'Nombre del pagador',
    'Payer name',
    [
      ...['pagador', 'nombre', 'nombre y apellido', 'apellido y nombre', 'apellido nombre'],
      ...['socio', 'socia', 'cliente', 'alumno', 'alumna', 'titular', 'razon social', 'usuario'],
      ...['payer', 'name', 'full name', 'customer', 'customer name', 'member', 'student'],
    ],
    { required: true },
  ),
  description: sheetField(
    'description',
    'Concepto',
    'Description',
    ['concepto', 'detalle', 'descripcion', 'servicio', 'motivo', 'concept', 'detail', 'details'],
    { required: true },
  ),
  firstDue: sheetField(
    'first_due_date',
    'Vencimiento',
    'First due date',
    [
      ...['vencimiento', 'fecha vencimiento', 'vto', 'fecha vto', 'vence', 'vence el'],
      ...['primer vencimiento', '1er vencimiento', '1 vencimiento', 'fecha 1er vencimiento'],
      ...['fecha primer vencimiento', '1er vto', 'primer vto', 'vencimiento 1', 'vto 1'],
      ...['due date', 'due', 'first due date', 'first due'],
    ],
    { required: true, reader: 'day' },
  ),
  firstTotal: sheetField(
    'first_total',
    'Importe',
    'First total',
    [
      ...['importe', 'monto', 'total', 'valor', 'importe total', 'importe a pagar', 'cuota'],
      ...['importe 1er vencimiento', 'importe primer vencimiento', 'importe 1', 'primer importe'],
      ...['importe 1er vto', 'monto 1er vencimiento', 'amount', 'first total', 'first amount'],
    ],
    { required: true, reader: 'amount' },
  ),
  reference: sheetField('external_reference', 'Tu referencia', 'External reference', [
    ...['referencia', 'referencia externa', 'codigo', 'nro socio'],
    ...['socio nro', 'legajo', 'nro cliente', 'matricula'],
    ...['comprobante', 'factura', 'nro factura', 'nro comprobante', 'id'],
    ...['reference', 'external reference', 'customer number', 'invoice', 'invoice number'],
  ]),
  payerEmail: sheetField('payer_email', 'Correo del pagador', 'Payer e-mail', [
    'email',
    'e mail',
    'mail',
    'correo',
    'correo electronico',
    'payer email',
    'email address',
  ]),
  secondDue: sheetField(
    'second_due_date',
    'Segundo vencimiento',
    'Second due date',
    [
      ...['segundo vencimiento', '2do vencimiento', '2 vencimiento', 'fecha 2do vencimiento'],
      ...['fecha segundo vencimiento', '2do vto', 'segundo vto', 'vencimiento 2', 'vto 2'],
      ...['second due date', 'second due'],
    ],
    { reader: 'day' },
  ),
  secondTotal: sheetField(
    'second_total',
    'Importe al segundo vencimiento',
    'Second total',
    [
      ...['importe 2do vencimiento', 'importe segundo vencimiento', 'importe 2', 'recargo total'],
      ...['segundo importe', 'importe 2do vto', 'monto 2do vencimiento', 'second total'],
      ...['second amount', 'importe al segundo vencimiento'],
    ],
    { reader: 'amount' },
  ),
} as const;
