import { catalog } from '../../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const letterTexts = catalog({ en, es }, { one: { id: 'count' } });
