import { serveFrames } from '../checkout/card-frame.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { type Played, playConnector } from './played.ts';

/** A service that never receives a card number, because its connector keeps the cards. */
export interface Keeper {
  acquirer: Played;
  /** The connector's initial responses. */
  plays: Played['plays'];
  service: TestService;
  player: Player;
  /** Restores the connector's initial responses, and forgets its calls. */
  reset(): void;
  stop(): Promise<void>;
}

export async function openKeeper(): Promise<Keeper> {
  const frames = await serveFrames();
  const { origin } = frames;
  const browser = { kind: 'frame', url: `${origin}/card`, origin };
  const acquirer = await playConnector('acquirer', [
    { channel: 'credit_card', browser, keeps_cards: true },
  ]);
  const plays = { ...acquirer.plays };
  const service = await startService({
    ROLES: 'payments,web',
    CONNECTORS: JSON.stringify([acquirer.configured()]),
  });
  return {
    acquirer,
    plays,
    service,
    player: playerOf(service),
    reset() {
      Object.assign(acquirer.plays, plays);
      acquirer.calls.length = 0;
    },
    async stop() {
      await service.stop();
      await Promise.all([acquirer.stop(), frames.stop()]);
    },
  };
}
