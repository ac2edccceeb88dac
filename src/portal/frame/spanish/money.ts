import type { Words } from './words.ts';

// all bounded: 1,000 characters, by faults.ts

/** What stands in the way of money that is to move: refunds, payouts, corrections, suspense. */
export const moneyWords: Words = [
  [/^This release cannot read it either: (.+)\.$/, 'Esta versión tampoco lo sabe leer: $1.'],
  [/^The dead letter was (?:replayed|discarded) before/, 'El aviso ya se había decidido.'],
  [/^The dispute (\S+) is one of another charge/, 'La disputa $1 es de otro cobro.'],
  [
    /^The money (\d+) was not written by this service/,
    'El pago $1 no lo escribió este servicio, o alguien lo cambió después.',
  ],
  [/^The dead letter was decided meanwhile/, 'Otra persona decidió el aviso mientras tanto.'],
  [
    /^At most (\S+) of this payment can still be refunded/,
    'De este pago se pueden devolver hasta $1.',
  ],
  [
    /cannot give money back: send the CBU/,
    'Este medio no devuelve dinero: escribí el CBU o CVU al que se transfiere.',
  ],
  [/gives this payment back itself/, 'Este medio devuelve el pago: dejá el CBU en blanco.'],
  [/not a CBU or CVU/, 'No es un CBU ni un CVU: son 22 dígitos, con sus verificadores.'],
  [
    /^The account has (\S+), available and to come/,
    'La cuenta tiene $1, disponible y a disponibilizarse: no alcanza para esta devolución.',
  ],
  [
    /^A journal of this account was not written by this service/,
    'Un asiento de esta cuenta no lo escribió este servicio: no se paga nada hasta que se cierre su alarma.',
  ],
  [/nothing is refunded now/, 'La cuenta no está activa: ahora no se devuelve nada.'],
  [/^The request is .*: it has no payment/, 'Este pedido no tiene ningún pago para devolver.'],
  [
    /reversed for (\d+) days: this one until (\S+)\.$/,
    'Un débito en cuenta se devuelve por su banco hasta $1 días después: este, hasta el $2.',
  ],
  [/names another fact of this account/, 'Esa referencia ya es de otro movimiento de la cuenta.'],
  [/^The refund is /, 'Esta devolución ya terminó.'],
  [
    /^The reference (.+) names a correction of (\S+)\.$/,
    'La referencia $1 ya es de una corrección de $2.',
  ],
  [/^The reference (.+) names a payout of (\S+?)[.,]/, 'La referencia $1 ya es de un pago de $2.'],
  [/^The reference (.+) was posted before/, 'La referencia $1 ya se registró.'],
  [/^The reference (.+) was paid out before/, 'La referencia $1 ya se pagó.'],
  [/^The reference (.+) names a /, 'La referencia $1 ya es de otra propuesta.'],
  [/is one of another charge/, 'Esta disputa es de otro pago.'],
  [/takes two people/, 'Por ese importe hacen falta dos personas.'],
  [
    /^The CBU of the account was changed since/,
    'El CBU de la cuenta cambió desde que se propuso: rechazala y proponé otra.',
  ],
  [/^The account is suspended: nothing is paid/, 'La cuenta está suspendida: no se le paga.'],
  [/nothing can be paid out now/, 'La cuenta no tiene disponible: ahora no se le puede pagar.'],
  [
    /^The account has (\S+) available.* at most (\S+)\.$/,
    'La cuenta tiene $1 disponible: el pago tiene que ser mayor que 0, y de $2 como máximo.',
  ],
  [/^The account has no CBU/, 'La cuenta no tiene un CBU al que pagarle.'],
  [
    /^Of the (\S+) that are left of this payment (\S+) wait to be approved already/,
    'De este pago quedan $1, y $2 ya esperan aprobación.',
  ],
  [
    /^A payout of (\S+) was asked for and waits/,
    'Ya hay una transferencia pedida, de $1, que espera aprobación.',
  ],
  [
    /above which refunds take two people must be 0/,
    'El importe desde el que hacen falta dos personas tiene que ser de 0 o más.',
  ],
  [/^The proposal .* is expired/, 'Venció sin que nadie la decidiera: hay que pedirla de nuevo.'],
  [/^The proposal .* is /, 'Esta propuesta ya se decidió.'],
  [
    /^You changed the members or the CBU of this account within (\d+) days/,
    'Cambiaste los usuarios o el CBU de esta cuenta en los últimos $1 días: este pago lo deciden otros operadores.',
  ],
  [
    /^A command without --operator changed .* within (\d+) days/,
    'Un comando sin --operator cambió los usuarios o el CBU de esta cuenta en los últimos $1 días: hasta que pasen, nadie puede aprobar un pago de este importe.',
  ],
  [
    /^The first operator has changed the members/,
    'El primer operador cambió después los usuarios o el CBU de esta cuenta: hay que rechazarlo y proponerlo de nuevo.',
  ],
  [
    /^One of you made the other an operator within (\d+) days/,
    'Uno de los dos hizo operador al otro en los últimos $1 días: este pago lo decide un tercer operador.',
  ],
  [
    /^A payout of this amount takes two operators.* Add another: (.*)$/,
    'Un pago de este importe lo deciden dos operadores, y hay uno solo. Para agregar otro: $1',
  ],
  [/^Another person has to approve/, 'La tiene que aprobar otra persona, no quien la propuso.'],
  [/is not in suspense any more/, 'Este dinero ya se asignó, se devolvió o lo revirtió su banco.'],
  [
    /its bank or card processor may still collect it/,
    'El banco o la tarjeta todavía puede cobrar este pedido: esperá su respuesta, o devolvé el dinero.',
  ],
  [
    /gives this payment back whole only/,
    'Este medio de pago solo devuelve el pago entero: dejá el importe vacío.',
  ],
  [
    /charges of the account wait for their outcome/,
    'Hay cobros en línea sin respuesta: su dinero todavía puede llegar.',
  ],
  [/has recorded this money before/, 'Esta cuenta ya registró este dinero.'],
  [
    /^Fees cannot be changed from (\S+) on.* today, (\S+)\.$/,
    'Los aranceles no se pueden cambiar desde el $1, que ya pasó: desde hoy, $2, sí.',
  ],
  [/^The standard terms hold from (\S+) on/, 'Desde el $1 ya rigen los aranceles generales.'],
  [/^The day is being closed|^Postings are under way/, 'Ahora no se pudo: probá de nuevo.'],
  [
    /^The register was not imported: it has no lines/,
    'El padrón no tiene renglones: no se importó nada.',
  ],
  [
    /^The register was not imported: nothing was changed\.$/,
    'El padrón no se importó: no cambió nada.',
  ],
  [
    /^line 1: (.*) must be the names of the columns: (.*)$/,
    'Renglón 1: dice $1; tiene que nombrar las columnas: $2.',
  ],
  [/^line (\d+): .* must have the 6 columns (.*)$/, 'Renglón $1: tiene que tener $2.'],
  [
    /^line (\d+): it is not a line of CSV/,
    'Renglón $1: no es un renglón de CSV, o es demasiado largo.',
  ],
  [
    /^line (\d+), cuit: (.*) must be/,
    'Renglón $1, cuit: $2 no es un CUIT de 11 dígitos con su dígito verificador.',
  ],
  [
    /^line (\d+), (regime|jurisdiction): (.*) must be/,
    'Renglón $1, $2: $3 no es un texto de 1 a 60 caracteres.',
  ],
  [
    /^line (\d+), rate: (.*) must be/,
    'Renglón $1, rate: $2 no es un porcentaje de 0 a 100, con punto y hasta 4 decimales.',
  ],
  [/^line (\d+), valid_from: (.*) must be/, 'Renglón $1, valid_from: $2 no es un día dd-mm-aaaa.'],
  [
    /^line (\d+), valid_to: (.*) must be/,
    'Renglón $1, valid_to: $2 no es un día dd-mm-aaaa desde valid_from en adelante.',
  ],
];
