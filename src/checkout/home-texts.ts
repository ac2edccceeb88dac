import { catalog } from '../language/catalog.ts';
import en from './home-texts.en.json' with { type: 'json' };
import es from './home-texts.es.json' with { type: 'json' };

export const words = catalog({ en, es });
