/** The URL's hash holds the room and its state: "#/self-attention?input=text&text=…". */

export interface Place {
  readonly room: string;
  readonly params: URLSearchParams;
}

export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { room: path, params: new URLSearchParams(query) };
}

export function placeHash({ room, params }: Place): string {
  return `#/${room}?${params.toString()}`;
}
