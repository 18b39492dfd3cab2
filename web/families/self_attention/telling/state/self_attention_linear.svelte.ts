import type { ChosenMap, MapName } from '../model/feature_maps.ts';
import { FAVOR_FIELDS, MAP_NAMES } from '../model/feature_maps.ts';

/** How linear attention is set. */
export class LinearState {
  /** Whether it is what the room shows. */
  on = $state(false);
  map: MapName = $state('elu1');
  features: number = $state(FAVOR_FIELDS.features.usual);
  seed: number = $state(FAVOR_FIELDS.seed.usual);
  /** The token, counted from 0, after which a causal state is looked at; null: the last. */
  after: number | null = $state(null);

  /** The map that is shown. Efficient Attention looks at all keys at once and has no causal form. */
  shown(causal: boolean): ChosenMap {
    return { map: causal && this.map === 'softmax' ? 'elu1' : this.map, features: this.features, seed: this.seed };
  }

  /** `linear=elu1&after=2`, `linear=favor.16.1`. */
  write(params: URLSearchParams): void {
    if (!this.on) return;
    params.set('linear', this.map === 'favor' ? `favor.${this.features}.${this.seed}` : this.map);
    if (this.after !== null) params.set('after', String(this.after + 1));
  }

  read(params: URLSearchParams): void {
    const [name, features, seed] = (params.get('linear') ?? '').split('.');
    const map = MAP_NAMES.find((candidate) => candidate === name);
    this.on = map !== undefined;
    this.map = map ?? this.map;
    if (map === 'favor') {
      this.features = fitting('features', features);
      this.seed = fitting('seed', seed);
    }
    const after = Number(params.get('after'));
    this.after = Number.isInteger(after) && after >= 1 ? after - 1 : null;
  }
}

function fitting(name: keyof typeof FAVOR_FIELDS, text: string | undefined): number {
  const { usual, least, most } = FAVOR_FIELDS[name];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Math.min(most, Math.max(least, Number(text))) : usual;
}
