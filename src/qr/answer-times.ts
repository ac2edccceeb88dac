import { Type } from 'typebox';
import { dateTime } from '../platform/http/shapes.ts';

export const dayText = Type.String({ description: 'dd-mm-yyyy' });

export const createdShape = { created_at: dayText, created_at_time: dateTime };

export const paidShape = {
  paid_at: Type.Optional(dayText),
  paid_at_time: Type.Optional(dateTime),
  refunded_at: Type.Optional(dayText),
  refunded_at_time: Type.Optional(dateTime),
};
