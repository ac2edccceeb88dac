import type { Lang } from '../../../platform/pages/model.ts';
import type { MailText, PayerMailKind } from './kinds.ts';

/** What an account writes that wrote nothing of its own. */
export const defaultTexts: Readonly<Record<PayerMailKind, Readonly<Record<Lang, MailText>>>> = {
  request: {
    es: {
      subject: 'Cobro de {cuenta} por {importe}',
      body: `Hola, {pagador}:

{cuenta} te envía este cobro.

Concepto: {concepto}
A pagar: {vencimientos}

Para pagar en línea:
{enlace}

Cupón para imprimir o pagar en efectivo:
{cupon}`,
    },
    en: {
      subject: 'Payment request from {account} for {amount}',
      body: `Hello, {payer}:

{account} sends you this payment request.

For: {description}
To pay: {dues}

To pay online:
{link}

Coupon to print or to pay in cash:
{coupon}`,
    },
  },
  reminder: {
    es: {
      subject: 'Recordatorio: {importe} para {cuenta} vence el {vencimiento}',
      body: `Hola, {pagador}:

Te recordamos que el {vencimiento} vence este pago a {cuenta}.

Concepto: {concepto}
Importe: {importe}

Para pagar en línea:
{enlace}

Cupón para imprimir o pagar en efectivo:
{cupon}

Si ya pagaste, no hace falta que hagas nada: algunos medios tardan hasta dos días en avisar.`,
    },
    en: {
      subject: 'Reminder: {amount} for {account} is due on {due}',
      body: `Hello, {payer}:

This payment to {account} is due on {due}.

For: {description}
Amount: {amount}

To pay online:
{link}

Coupon to print or to pay in cash:
{coupon}

If you have paid already you need not do anything: some means take up to two days to tell.`,
    },
  },
  receipt: {
    es: {
      subject: 'Recibimos tu pago de {importe} a {cuenta}',
      body: `Hola, {pagador}:

{cuenta} recibió tu pago.

Concepto: {concepto}
Importe: {importe}
Fecha: {fecha}
Medio: {medio}

El detalle y el comprobante:
{enlace}`,
    },
    en: {
      subject: 'We received your payment of {amount} to {account}',
      body: `Hello, {payer}:

{account} received your payment.

For: {description}
Amount: {amount}
Date: {date}
Paid by: {channel}

Details and receipt:
{link}`,
    },
  },
};
