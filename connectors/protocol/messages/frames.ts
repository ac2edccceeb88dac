import { type Static, Type } from 'typebox';
import { bin, cardBrand, lastFour, text } from './fields.ts';

/** Messages from the page to the frame. */
export const pageMessageSchema = Type.Union([
  Type.Object({
    recaudo: Type.Literal('submit', {
      description: 'The payer pressed the button; the frame answers with token or faults',
    }),
  }),
  Type.Object({
    recaudo: Type.Literal('hello', {
      description: 'The page is ready; the frame sends its height again',
    }),
  }),
]);

/** Messages from the frame to its page. */
export const frameMessageSchema = Type.Union([
  Type.Object({
    recaudo: Type.Literal('token'),
    token: text(512, 'Single-use token'),
    brand: Type.Optional(cardBrand),
    bin: Type.Optional(bin),
    last_four: Type.Optional(lastFour),
    holder_name: Type.Optional(text(255, 'As typed')),
  }),
  Type.Object({
    recaudo: Type.Literal('brand', {
      description: 'While the payer types the number: selects the plans to show',
    }),
    brand: Type.Optional(cardBrand),
    bin: Type.Optional(bin),
  }),
  Type.Object({
    recaudo: Type.Literal('faults', { description: 'The frame itself shows the faults' }),
  }),
  Type.Object({
    recaudo: Type.Literal('height'),
    px: Type.Integer({ minimum: 1, maximum: 2000 }),
  }),
  Type.Object({ recaudo: Type.Literal('ready') }),
  Type.Object({ recaudo: Type.Literal('finished', { description: 'A 3-D Secure step ended' }) }),
]);
export type FrameMessage = Static<typeof frameMessageSchema>;
