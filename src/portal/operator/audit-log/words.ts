import type { Lang } from '../../../platform/pages/model.ts';

type Words = Readonly<Record<string, Readonly<Record<Lang, string>>>>;

const word = (es: string, en: string) => ({ es, en });

/** How acts are called, by the type of their event; others are shown by that. */
const actNames: Words = {
  'account.created': word('Se creó la cuenta', 'Account created'),
  'account.changed': word(
    'Cambió la configuración de la cuenta',
    'Settings of the account changed',
  ),
  'account.suspended': word('Se suspendió la cuenta', 'Account suspended'),
  'account.reopened': word('Se reabrió la cuenta', 'Account reopened'),
  'account.closed': word('Se cerró la cuenta', 'Account closed'),
  'fees.set': word('Cambiaron comisiones', 'Fees changed'),
  'fees.ended': word('Terminaron comisiones propias', 'Own fees ended'),
  'api_key.created': word('Se creó una clave', 'Key created'),
  'api_key.revoked': word('Se revocó una clave', 'Key revoked'),
  'webhook.created': word('Se creó un webhook', 'Webhook created'),
  'webhook.rotated': word('Se cambió el secreto de un webhook', 'Secret of a webhook rotated'),
  'webhook.paused': word('Se pausó un webhook', 'Webhook paused'),
  'webhook.resumed': word('Se reanudó un webhook', 'Webhook resumed'),
  'webhook.removed': word('Se quitó un webhook', 'Webhook removed'),
  'membership.invited': word('Se invitó a un usuario', 'User invited'),
  'membership.created': word('Se agregó un usuario', 'User added'),
  'membership.accepted': word('Un usuario aceptó su invitación', 'Invitation accepted'),
  'membership.role_changed': word('Cambió el rol de un usuario', 'Role of a user changed'),
  'membership.ended': word('Se quitó a un usuario', 'User removed'),
  'user.created': word('Se dio de alta a una persona', 'Person made known'),
  'user.changed': word('Una persona cambió sus datos', 'Person changed own data'),
  'user.signed_in': word('Ingresó', 'Signed in'),
  'user.signed_out': word('Salió', 'Signed out'),
  'user.proved': word('Confirmó quién es', 'Proved who it is'),
  'user.suspended': word('Se suspendió a una persona', 'Person suspended'),
  'user.reopened': word('Se readmitió a una persona', 'Person let in again'),
  'user.password_changed': word('Cambió su contraseña', 'Password changed'),
  'user.password_reset': word('Eligió otra contraseña por mail', 'Password reset by mail'),
  'user.reset_asked': word('Se pidió otra contraseña', 'Reset asked for'),
  'user.invitation_accepted': word('Aceptó una invitación', 'Invitation accepted'),
  'user.factor_added': word('Agregó un segundo factor', 'Second factor added'),
  'user.factor_removed': word('Se quitó un segundo factor', 'Second factor removed'),
  'payout.sent': word('Se transfirió a la cuenta', 'Payout sent'),
  'payout.returned': word('Volvió una transferencia', 'Payout returned'),
  'correction.posted': word('Se corrigió un saldo', 'Correction posted'),
  'suspense.opened': word('Entró un pago sin identificar', 'Unknown payment came in'),
  'suspense.assigned': word('Se identificó un pago', 'Unknown payment assigned'),
  'suspense.returned': word('Se devolvió un pago sin identificar', 'Unknown payment returned'),
  'rail_file.received': word('Se recibió un archivo', 'File received'),
  'rail_file.imported': word('Se procesó un archivo', 'File processed'),
  'rail_file.exported': word('Se generó un archivo', 'File written'),
  'rail_file.shredded': word('Se destruyó un archivo', 'File destroyed'),
  'taxpayer_rates.imported': word('Se cargó un padrón', 'Register imported'),
  'calendar_day.set': word('Cambió el calendario', 'Calendar changed'),
  'calendar_day.forgotten': word('Se quitó un día del calendario', 'Day of the calendar removed'),
  'connector.resumed': word('Se reanudó un conector', 'Connector resumed'),
  'connector.reconciled': word('Se concilió un conector', 'Connector reconciled'),
  'clock.moved': word('Se movió el reloj', 'Clock moved'),
  'mail.resent': word('Se reenviaron mails', 'Mails sent again'),
  'payment_request.created': word('Se creó un cobro', 'Payment request created'),
};

const fieldNames: Words = {
  reason: word('Motivo', 'Reason'),
  state: word('Estado', 'State'),
  name: word('Nombre', 'Name'),
  role: word('Rol', 'Role'),
  lang: word('Idioma', 'Language'),
  channel: word('Canal', 'Channel'),
  from: word('Desde', 'From'),
  to: word('Hasta', 'To'),
  percentage: word('Porcentaje', 'Percentage'),
  fixed: word('Fijo', 'Fixed'),
  minimum: word('Mínimo', 'Minimum'),
  days: word('Días hábiles', 'Business days'),
  amount: word('Importe', 'Amount'),
  note: word('Nota', 'Note'),
  permissions: word('Permisos', 'Permissions'),
  expires_at: word('Vence', 'Expires'),
  service_role: word('Rol en el servicio', 'Role in the service'),
  payout_cbu: word('CBU', 'CBU'),
  returns_fees: word('Reintegra comisiones', 'Returns fees'),
  refunds_below_zero: word('Devuelve más que el saldo', 'Refunds below zero'),
  returns_late_approvals: word('Aprobaciones tardías vuelven', 'Returns late approvals'),
  card_cut_day: word('Día de corte de tarjetas', 'Cut day of cards'),
  connector: word('Conector', 'Connector'),
  connector_settings: word('Datos del conector', 'Settings of the connector'),
  card_plans: word('Planes de cuotas', 'Installment plans'),
  url: word('Dirección', 'Address'),
  event_types: word('Eventos', 'Events'),
  kind: word('Tipo', 'Kind'),
  lines: word('Líneas', 'Lines'),
  total: word('Total', 'Total'),
};

/** Words of the code that stand where what changed is told. */
const valueNames: Words = {
  true: word('sí', 'yes'),
  false: word('no', 'no'),
  active: word('activa', 'active'),
  suspended: word('suspendida', 'suspended'),
  closed: word('cerrada', 'closed'),
  owner: word('titular', 'owner'),
  administrator: word('administración', 'administrator'),
  collections: word('cobranzas', 'collections'),
  treasury: word('tesorería', 'treasury'),
  read_only: word('solo lectura', 'read only'),
};

const entityNames: Words = {
  payment_request: word('Cobro', 'Payment request'),
  debit_request: word('Débito en cuenta', 'CBU debit'),
  card_debit_request: word('Débito en tarjeta', 'Card debit'),
  qr: word('QR', 'QR'),
  adhesion: word('Adhesión de CBU', 'CBU mandate'),
  card_adhesion: word('Adhesión de tarjeta', 'Card mandate'),
  account: word('Cuenta', 'Account'),
  fees: word('Comisiones', 'Fees'),
  api_key: word('Clave de API', 'API key'),
  webhook: word('Webhook', 'Webhook'),
  membership: word('Usuario de la cuenta', 'User of the account'),
  user: word('Persona', 'Person'),
  payout: word('Transferencia', 'Payout'),
  correction: word('Corrección', 'Correction'),
  suspense: word('Pago sin identificar', 'Unknown payment'),
  import: word('Emisión masiva', 'Import'),
  rail_file: word('Archivo', 'File'),
};

const said = (words: Words, lang: Lang, code: string): string => words[code]?.[lang] ?? code;

export const actName = (lang: Lang, type: string): string => said(actNames, lang, type);
export const fieldName = (lang: Lang, name: string): string => said(fieldNames, lang, name);
export const valueName = (lang: Lang, value: string): string => said(valueNames, lang, value);
export const entityName = (lang: Lang, entity: string): string => said(entityNames, lang, entity);

const choices = (words: Words, lang: Lang) =>
  Object.entries(words).map(([value, names]) => ({ value, label: names[lang] }));

/** What can be looked for. */
export const actChoices = (lang: Lang) => choices(actNames, lang);
export const entityChoices = (lang: Lang) => choices(entityNames, lang);
