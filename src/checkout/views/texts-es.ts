import type { Texts } from './wording.ts';

/** Argentine Spanish, as payers are spoken to here. */
export const spanish: Texts = {
  request: 'Cobro N.º',
  print: 'Imprimir',
  back: 'Volver al sitio',
  pay: {
    title: (issuer) => `Pagar a ${issuer}`,
    amountDue: 'Total a pagar',
    dueOn: 'Vence el',
    missed: (day) => `El primer vencimiento, del ${day}, ya pasó: este es el importe del segundo.`,
    afterwards: (day, amount) => `Después, y hasta el ${day}: ${amount}`,
    payer: 'A nombre de',
    concept: 'Concepto',
    reference: 'Referencia',
    items: 'Detalle',
    amount: 'Importe',
    choose: '¿Cómo querés pagar?',
    faultSummary: 'Revisá estos datos:',
    faultTitle: 'Revisá los datos',
    noChannels: 'No hay medios de pago disponibles en este momento.',
    goOnInOther: 'Continue in English',
  },
  channels: {
    credit_card: { name: 'Tarjeta de crédito', note: 'En un pago o en cuotas' },
    debit_card: { name: 'Tarjeta de débito', note: 'Se debita en el momento' },
    DEBIN: { name: 'Débito desde tu cuenta (DEBIN)', note: 'Lo aceptás en tu banco o billetera' },
    qr: { name: 'Código QR', note: 'Con la app de tu banco o billetera' },
    wire_transfer: { name: 'Transferencia', note: 'A un CVU exclusivo de este pago' },
    banelco_pmc: { name: 'Pago Mis Cuentas', note: 'Cajeros Banelco y banca en línea' },
    link_pagos: { name: 'Link Pagos', note: 'Cajeros Link y banca en línea' },
    non_banking: { name: 'Efectivo', note: 'En redes de cobranza, con el cupón' },
  },
  fields: {
    card_number: { label: 'Número de tarjeta' },
    holder_email: { label: 'Correo electrónico (opcional)' },
    installments: { label: 'Cuotas' },
    account: { label: 'CBU, CVU o alias', hint: 'De la cuenta desde la que pagás' },
    holder_cuit: { label: 'CUIT o CUIL', hint: 'De la persona titular de la cuenta, 11 dígitos' },
    payer_id_number: { label: 'Tu DNI, CUIT o CUIL', hint: 'Solo números' },
    payer_phone: {
      label: 'Tu teléfono',
      hint: 'Código de área y número, por ejemplo 11 5555 4444',
    },
    payer_street: { label: 'Calle y número', hint: 'De tu domicilio' },
    payer_city: { label: 'Localidad' },
    payer_postal_code: { label: 'Código postal' },
    payer_province: { label: 'Provincia' },
  },
  chooseProvince: 'Elegí la provincia',
  faults: {
    required: 'Completá este dato.',
    card_is_credit:
      'Esta tarjeta es de crédito. Elegí “Tarjeta de crédito” o probá con una de débito.',
    card_is_debit:
      'Esta tarjeta es de débito. Elegí “Tarjeta de débito” o probá con una de crédito.',
    card_not_accepted: 'No se acepta esta tarjeta. Probá con otra.',
    email: 'Escribí una dirección de correo, por ejemplo nombre@ejemplo.com.',
    installments: 'Elegí una opción de cuotas de la marca de tu tarjeta.',
    account: 'Escribí un CBU o CVU de 22 dígitos o un alias de 6 a 20 caracteres.',
    cuit: 'El CUIT o CUIL no es válido. Son 11 dígitos.',
    id_number: 'Escribí un DNI de 7 u 8 dígitos, o un CUIT o CUIL de 11.',
    phone: 'Escribí el código de área y el número: son 10 dígitos.',
    line: 'Escribí hasta 100 letras, números y signos comunes.',
    postal_code: 'Escribí los 4 dígitos del código postal, o el CPA entero.',
  },
  card: {
    chooseInstallments: 'Elegí las cuotas',
    oneInstallment: (amount) => `1 pago de ${amount}`,
    installments: (count, amount, total) => `${count} cuotas de ${amount} (total ${total})`,
    detected: 'Tarjeta',
    whichBrand: '¿De qué marca es tu tarjeta?',
    notAccepted: 'No se acepta esta marca de tarjeta',
    rounded: (count, amount, total) =>
      `${count} cuotas de ${amount} (total ${total}; el resumen de la tarjeta ajusta los centavos)`,
    accepted: 'Se aceptan',
    submitIn: (amount, count) => `Pagar ${amount} en ${count} cuotas`,
    submitCredit: 'Pagar con tarjeta de crédito',
    submit: (amount) => `Pagar ${amount}`,
    sending: 'Procesando el pago…',
  },
  elsewhere: {
    submit: (amount) => `Ir a pagar ${amount}`,
    note: 'Vas a completar los datos en la página de la entidad que procesa el pago, y después volvés acá.',
  },
  frame: {
    title: 'Datos de la tarjeta',
    handed: (brand, lastFour) =>
      `${brand ?? 'Tarjeta'}${lastFour === null ? '' : ` terminada en ${lastFour}`}`,
    another: 'Usar otra tarjeta',
    useFirst:
      'Sin JavaScript, completá la tarjeta, tocá “Usar esta tarjeta”, y al volver terminá el pago.',
    needsScripts:
      'Para pagar con tarjeta, el navegador tiene que permitir JavaScript. También podés usar otro medio.',
    late: 'El formulario de la tarjeta no responde. Recargá la página o usá otro medio. No se te cobró nada.',
  },
  action: {
    title: {
      redirect: 'Falta completar el pago',
      frame: 'Tu banco pide confirmar el pago',
      show_qr: 'Escaneá este código para pagar',
    },
    lead: {
      redirect: (amount) =>
        `El pago de ${amount} se termina en la página de la entidad que lo procesa.`,
      frame: (amount) => `Confirmá acá el pago de ${amount}. No cierres esta página.`,
      show_qr: (amount) => `Vas a pagar ${amount}.`,
    },
    frame: 'Confirmación de tu banco',
    goOn: 'Continuar con el pago',
    done: 'Ya lo hice: ver el resultado',
    callOff: 'Pagar con otro medio',
  },
  debin: {
    submit: (amount) => `Pedir débito de ${amount}`,
    note: 'Vas a recibir el pedido en tu banco o billetera. El pago se hace cuando lo aceptás ahí.',
    pending: {
      title: 'Aceptá el débito en tu banco',
      lead: (amount) =>
        `Te pedimos un débito (DEBIN) de ${amount}. Abrí la app o el home banking de tu banco o billetera y aceptalo: recién entonces se paga.`,
      wait: 'Si ya lo aceptaste, esperá acá o volvé más tarde: no hace falta pedirlo de nuevo.',
    },
  },
  qr: {
    image: 'Código QR para pagar',
    samePhone:
      '¿Estás en el mismo teléfono? Guardá la imagen y abrila desde tu app, o copiá el código.',
    save: 'Guardar la imagen',
    text: 'Código para copiar',
    steps: [
      'Abrí la app de tu banco o billetera.',
      'Elegí pagar con QR y escaneá este código.',
      'Revisá el importe y confirmá.',
    ],
  },
  transfer: {
    cvu: 'CVU',
    alias: 'Alias',
    holder: 'Titular',
    holderCuit: 'CUIT',
    exact: (amount) =>
      `Transferí ${amount}, el importe exacto, para que el pago se reconozca solo.`,
  },
  code: {
    company: 'Empresa',
    code: 'Código de pago',
    banelcoSteps: [
      'Entrá a Pago Mis Cuentas en un cajero Banelco o en la banca en línea de tu banco.',
      'Buscá la empresa y escribí el código de pago.',
      'Revisá el importe y confirmá.',
    ],
    linkSteps: [
      'Entrá a Link Pagos en un cajero Link o en la banca en línea de tu banco.',
      'Buscá la empresa y escribí el código de pago.',
      'Revisá el importe y confirmá.',
    ],
  },
  cash: {
    open: 'Abrir el cupón para imprimir (PDF)',
    where: (networks) => `Mostrá este código en la caja de ${networks}.`,
    image: 'Código de barras del pago',
    large: 'Ver el código en grande',
    largeNote: 'Para mostrarlo en la caja: acostá el teléfono y subí el brillo.',
    close: 'Volver al pago',
    fullScreen: 'Pantalla completa',
    digits: 'Número del código de barras',
  },
  copy: 'Copiar',
  copied: 'Copiado',
  sandbox: {
    simulate: 'Simular el pago',
    simulateNote: 'Solo en el ambiente de prueba: hace como si alguien hubiera pagado.',
    cards: 'Tarjetas de prueba',
    cardsNote: 'Con vencimiento 08/30 y código 123 (American Express: 1234).',
    outcome: {
      approved: 'Aprobada',
      insufficient_funds: 'Sin fondos',
      rejected: 'Rechazada',
    },
    number: 'Número',
    brand: 'Marca',
    result: 'Resultado',
  },
  receipt: {
    title: 'Pago aprobado',
    lead: (issuer) => `${issuer} ya recibió tu pago. Guardá este comprobante.`,
    amount: 'Importe',
    date: 'Fecha y hora',
    channel: 'Medio de pago',
    card: (lastFour) => `terminada en ${lastFour}`,
    installments: 'Cuotas',
    day: 'Fecha',
    pdf: 'Descargar en PDF',
    settled: 'Pagado del cobro',
    authorization: 'Código de autorización',
  },
  rejected: {
    title: 'El pago no se pudo hacer',
    lead: 'No se te cobró nada.',
    again: 'Intentar de nuevo',
    reasons: {
      insufficient_funds:
        'No hay fondos o límite suficiente. Probá con menos cuotas o con otro medio.',
      no_balance:
        'La cuenta no tiene saldo suficiente. Cargá saldo y probá de nuevo, o usá otra cuenta u otro medio.',
      rejected_by_issuer:
        'La entidad emisora rechazó el pago. Llamala, o probá con otra tarjeta u otro medio.',
      rejected_by_bank:
        'El banco rechazó el débito. Revisá los datos de la cuenta o usá otro medio.',
      stop_debit: 'La cuenta tiene frenado este débito. Consultá en tu banco o usá otro medio.',
      never: 'Este pago no se puede hacer con ese medio. Elegí otro.',
      other_instrument: 'La entidad emisora rechazó el pago. Probá con otra tarjeta u otro medio.',
      same_later: 'No se pudo hacer en este momento. Probá de nuevo más tarde, o con otro medio.',
      same_now: 'Hay un dato que no coincide. Revisalos y probá de nuevo.',
      call_issuer:
        'La entidad emisora pide que la llames para autorizar el pago. Después probá de nuevo con la misma tarjeta.',
      expired: 'El pago no se terminó a tiempo. Probá de nuevo, o con otro medio.',
      canceled: 'El pago se canceló. Probá de nuevo, o con otro medio.',
      not_captured:
        'La tarjeta autorizó el pago y después no se cobró. Si ves un importe retenido, tu banco lo libera. Probá de nuevo, o con otro medio.',
      unavailable: 'El medio de pago no responde. Probá más tarde o con otro medio.',
      other: 'El medio de pago rechazó la operación. Revisá los datos o probá con otro medio.',
    },
  },
  paused: {
    title: 'Hubo demasiados pagos rechazados',
    lead: 'No se te cobró nada.',
    until: (moment) => `Podés volver a intentar desde el ${moment}.`,
    noMore: (issuer) =>
      `Este cobro ya no acepta tarjetas ni débitos en cuenta. Usá otro medio o consultá con ${issuer}.`,
    others: 'Ver otros medios de pago',
  },
  pending: {
    title: 'Estamos confirmando tu pago',
    lead: (amount) => `Enviamos el pago de ${amount} y todavía no hay respuesta.`,
    wait: 'No vuelvas a pagar: si ya se cobró, pagarías dos veces. Podés cerrar esta página y volver más tarde.',
    again: 'Esta página se actualiza sola.',
    refresh: 'Ver si ya hay respuesta',
  },
  paid: {
    title: 'Este cobro ya está pagado',
    lead: 'No hace falta que pagues nada más.',
    on: (day) => `Se pagó el ${day}.`,
    partTitle: 'Se pagó una parte',
    part: (paid, due, rest) => `Se pagaron ${paid} de ${due}. Faltan ${rest}.`,
    askPart: (issuer) => `Consultá con ${issuer} cómo pagar lo que falta.`,
    over: (paid, due, excess) => `Se pagaron ${paid} por un cobro de ${due}: ${excess} de más.`,
    askOver: (issuer) => `Consultá con ${issuer} por la diferencia.`,
    receipt: 'Ver el comprobante',
  },
  closed: {
    title: 'Este cobro ya no se puede pagar',
    lead: 'El pago se devolvió.',
    ask: (issuer) => `Si tenés dudas, consultá con ${issuer}.`,
  },
  expired: {
    title: 'Este cobro venció',
    lead: (day) => `Se podía pagar hasta el ${day}.`,
    ask: (issuer) => `Pedile uno nuevo a ${issuer}.`,
  },
  notFound: {
    title: 'No encontramos este cobro',
    lead: 'El enlace está incompleto o no existe.',
    ask: 'Revisá que lo hayas copiado entero, o pedíselo de nuevo a quien te lo envió.',
  },
  error: {
    title: 'Algo salió mal',
    busy: 'El servicio no está disponible en este momento. Probá de nuevo en un minuto.',
    failed:
      'Hubo un error de nuestro lado. Antes de pagar otra vez, abrí de nuevo el enlace: ahí vas a ver si el pago se hizo.',
    too_many: 'Hubo demasiados intentos seguidos. Esperá un minuto y probá de nuevo.',
    unavailable: 'Este cobro no se puede pagar en línea por ahora. Consultá con quien te lo envió.',
    unreadable:
      'No pudimos leer los datos que mandó el navegador. No se te cobró nada: abrí de nuevo el cobro y probá otra vez.',
    again: 'Abrir de nuevo',
    requestId: 'Si pedís ayuda, pasá este código:',
  },
};
