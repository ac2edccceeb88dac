import { catalog } from '../../language/catalog.ts';
import en from './state-names.en.json' with { type: 'json' };
import es from './state-names.es.json' with { type: 'json' };

export const stateNames = catalog({ en, es });
