import { catalog } from '../../language/catalog.ts';
import en from './reject-advice.en.json' with { type: 'json' };
import es from './reject-advice.es.json' with { type: 'json' };

export type Advice = keyof typeof en;

export const advices = catalog({ en, es });
