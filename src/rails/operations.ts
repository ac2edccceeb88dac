import type { Actor } from '../platform/actor.ts';
import { line } from '../platform/http/fields.ts';
import { required } from '../platform/http/form.ts';
import { operation } from '../platform/operations.ts';
import type { SendingResult } from './desk/outbound.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

type Send = (order: { rail: string; another: boolean; actor: Actor }) => Promise<SendingResult>;

const preparing = (another: boolean) => ({
  act: 'files.manage' as const,
  texts: { en, es },
  takes: { rail: required(line({ max: 60 })) },
  run: (send: Send, { rail }: { rail: string }, actor: Actor) => send({ rail, another, actor }),
});

/** Prepares today's file for a network or bank. */
export const filePreparing = operation({
  ...preparing(false),
  name: 'rail_file.prepare',
  repeat: 'natural',
});

/** Prepares another file of the same day. */
export const filePreparingAgain = operation({
  ...preparing(true),
  name: 'rail_file.prepare-again',
  repeat: { again: 'another file contains only debits that no file has yet' },
});
