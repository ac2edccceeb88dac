import type { RatesReport } from '../../../money/withholdings/index.ts';
import type { Lang } from '../../../platform/pages/model.ts';

interface FeesTexts {
  readonly title: string;
  readonly lead: string;
  readonly now: string;
  readonly channel: string;
  readonly terms: string;
  readonly own: string;
  readonly standard: string;
  readonly since: (day: string) => string;
  readonly until: (day: string) => string;
  readonly percentage: string;
  readonly fixed: string;
  readonly minimum: string;
  readonly days: string;
  readonly daysHint: string;
  readonly planned: string;
  readonly from: string;
  readonly fromHint: string;
  readonly change: string;
  readonly changeLead: string;
  readonly save: string;
  readonly end: string;
  readonly endLead: string;
  readonly history: string;
  readonly noHistory: string;
  readonly when: string;
  readonly who: string;
  readonly what: string;
  readonly set: string;
  readonly ended: string;
  readonly allActs: string;
  readonly withholdings: string;
  readonly withholdingsLead: string;
  readonly noWithholdings: string;
  readonly regime: string;
  readonly jurisdiction: string;
  readonly rate: string;
  readonly to: string;
  readonly faults: Readonly<
    Record<'percentage' | 'fixed' | 'minimum' | 'days' | 'from' | 'nothing' | 'file', string>
  >;
  readonly registers: string;
  readonly registersLead: string;
  readonly file: string;
  readonly fileHint: string;
  readonly mode: string;
  readonly check: string;
  readonly checkHint: string;
  readonly import: string;
  readonly importHint: string;
  readonly send: string;
  readonly outcomes: Readonly<Record<RatesReport['outcome'], (lines: number) => string>>;
  readonly refused: string;
  readonly added: string;
  readonly changed: string;
  readonly unchanged: string;
  readonly imported: string;
  readonly noRegisters: string;
  readonly name: string;
  readonly lines: string;
}

const spanish: FeesTexts = {
  title: 'Comisiones',
  lead: 'Lo que la cuenta paga por cada cobro, y cuándo dispone del dinero.',
  now: 'Rigen hoy',
  channel: 'Medio',
  terms: 'Condiciones',
  own: 'Propias',
  standard: 'Generales',
  since: (day) => `desde el ${day}`,
  until: (day) => `hasta el ${day}`,
  percentage: 'Porcentaje',
  fixed: 'Fijo',
  minimum: 'Mínimo',
  days: 'Días hábiles',
  daysHint: 'Hasta que el dinero está disponible, de 0 a 366.',
  planned: 'Lo que viene',
  from: 'Rige desde',
  fromHint: 'Por el día del pago: hoy o después. Lo ya cobrado conserva su comisión.',
  change: 'Cambiar',
  changeLead: 'Se suma el IVA. Quién las cambió, y qué decían antes, queda registrado.',
  save: 'Guardar',
  end: 'Volver a las generales',
  endLead: 'Desde ese día rigen las condiciones generales, y lo planeado para después se descarta.',
  history: 'Cambios',
  noHistory: 'Nunca tuvo condiciones propias',
  when: 'Cuándo',
  who: 'Quién',
  what: 'Qué',
  set: 'Condiciones propias',
  ended: 'Vuelta a las generales',
  allActs: 'Ver en la auditoría',
  withholdings: 'Retenciones',
  withholdingsLead: 'Según los padrones, por el CUIT de la cuenta.',
  noWithholdings: 'Ningún padrón nombra su CUIT',
  regime: 'Régimen',
  jurisdiction: 'Jurisdicción',
  rate: 'Alícuota',
  to: 'Hasta',
  faults: {
    percentage: 'Tiene que ser un porcentaje de 0 a 100, como 1,50.',
    fixed: 'Tiene que ser un importe, como 10,50, o 0.',
    minimum: 'Tiene que ser un importe, como 10,50, o 0.',
    days: 'Tiene que ser un número entero de 0 a 366.',
    from: 'Tiene que ser un día de hoy en adelante.',
    nothing: 'Desde ese día ya rigen las generales: no hay nada que terminar.',
    file: 'Elegí un archivo.',
  },
  registers: 'Padrones',
  registersLead: 'Alícuotas de retención por CUIT. Se cargan enteros o nada.',
  file: 'Archivo',
  fileHint: 'CSV con cuit,regime,jurisdiction,rate,valid_from,valid_to; hasta 16 MiB.',
  mode: 'Qué hacer',
  check: 'Solo revisar',
  checkHint: 'Dice qué cambiaría, y no cambia nada.',
  import: 'Cargar',
  importHint: 'Lo ya cobrado conserva lo que se le retuvo.',
  send: 'Mandar el archivo',
  outcomes: {
    imported: (lines) => `El padrón se cargó: ${lines} líneas.`,
    known: (lines) => `Este padrón, de ${lines} líneas, ya se había cargado: no cambió nada.`,
    checked: (lines) => `El padrón está bien: ${lines} líneas. Esto es lo que cambiaría.`,
  },
  refused: 'El padrón no se cargó: no cambió nada.',
  added: 'Nuevas',
  changed: 'Cambiadas',
  unchanged: 'Iguales',
  imported: 'Padrones cargados',
  noRegisters: 'Todavía no se cargó ninguno',
  name: 'Nombre',
  lines: 'Líneas',
};

const english: FeesTexts = {
  title: 'Fees',
  lead: 'What the account pays for each collection, and when it disposes of the money.',
  now: 'In force today',
  channel: 'Channel',
  terms: 'Terms',
  own: 'Own',
  standard: 'Standard',
  since: (day) => `since ${day}`,
  until: (day) => `until ${day}`,
  percentage: 'Percentage',
  fixed: 'Fixed',
  minimum: 'Minimum',
  days: 'Business days',
  daysHint: 'Until the money is available, 0 to 366.',
  planned: 'To come',
  from: 'In force from',
  fromHint: 'By the day of payment: today or later. What was collected keeps its fee.',
  change: 'Change',
  changeLead: 'VAT is added. Who changed them, and what they were, is kept.',
  save: 'Save',
  end: 'Back to the standard terms',
  endLead: 'From that day on the standard terms hold, and what was planned for later is dropped.',
  history: 'Changes',
  noHistory: 'It never had terms of its own',
  when: 'When',
  who: 'Who',
  what: 'What',
  set: 'Own terms',
  ended: 'Back to the standard ones',
  allActs: 'See it in the audit log',
  withholdings: 'Withholdings',
  withholdingsLead: 'By the registers, for the CUIT of the account.',
  noWithholdings: 'No register names its CUIT',
  regime: 'Regime',
  jurisdiction: 'Jurisdiction',
  rate: 'Rate',
  to: 'To',
  faults: {
    percentage: 'It must be a percentage from 0 to 100, such as 1.50.',
    fixed: 'It must be an amount, such as 10.50, or 0.',
    minimum: 'It must be an amount, such as 10.50, or 0.',
    days: 'It must be a whole number from 0 to 366.',
    from: 'It must be a day from today on.',
    nothing: 'The standard terms hold from that day on: there is nothing to end.',
    file: 'Choose a file.',
  },
  registers: 'Registers',
  registersLead: 'Withholding rates by CUIT. They are imported whole or not at all.',
  file: 'File',
  fileHint: 'CSV with cuit,regime,jurisdiction,rate,valid_from,valid_to; up to 16 MiB.',
  mode: 'What to do',
  check: 'Check only',
  checkHint: 'Says what would change, and changes nothing.',
  import: 'Import',
  importHint: 'What was collected keeps what was withheld.',
  send: 'Send the file',
  outcomes: {
    imported: (lines) => `The register was imported: ${lines} lines.`,
    known: (lines) => `This register of ${lines} lines was imported before: nothing was changed.`,
    checked: (lines) => `The register is right: ${lines} lines. This is what would change.`,
  },
  refused: 'The register was not imported: nothing was changed.',
  added: 'New',
  changed: 'Changed',
  unchanged: 'Unchanged',
  imported: 'Registers that were imported',
  noRegisters: 'None was imported yet',
  name: 'Name',
  lines: 'Lines',
};

export const feesTexts: Readonly<Record<Lang, FeesTexts>> = { es: spanish, en: english };
