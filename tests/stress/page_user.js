// Runs in the page: a visitor who turns whatever there is. `visitor.step()` does one thing and says what; `visitor.faults` are errors that nobody handled.
(() => {
  if (globalThis.visitor) return;
  const faults = [];
  /** No error: figures answered a change of size with one of their own, and are told of it in the next frame. */
  const RESIZED = /^ResizeObserver loop/;
  addEventListener('error', (event) => {
    if (!RESIZED.test(event.message)) faults.push(`error: ${event.message ?? event.target?.src}`);
  });
  addEventListener('unhandledrejection', (event) => faults.push(`rejection: ${event.reason?.message ?? event.reason}`));
  addEventListener('securitypolicyviolation', (event) => faults.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  for (const level of ['error', 'warn']) {
    const original = console[level];
    console[level] = (...what) => {
      const stack = new Error().stack.split('\n').slice(2, 12).join('\n');
      faults.push(`console: ${what.map(String).join(' ').slice(0, 300)}\n${stack}`);
      original.apply(console, what);
    };
  }

  /** Memories of the modules that run here, as long as they live. */
  const memories = [];
  const noted = (instance) => {
    for (const part of Object.values(instance.exports))
      if (part instanceof WebAssembly.Memory) memories.push(new WeakRef(part));
    return instance;
  };
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const original = WebAssembly[name];
    WebAssembly[name] = (...given) =>
      original.apply(WebAssembly, given).then((made) => {
        noted(made.instance ?? made);
        return made;
      });
  }
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, { construct: (target, given) => noted(new target(...given)) });

  // A pointer that no hand holds cannot be captured.
  const { setPointerCapture } = Element.prototype;
  Element.prototype.setPointerCapture = function (pointer) {
    try {
      setPointerCapture.call(this, pointer);
    } catch (error) {
      if (error.name !== 'NotFoundError') throw error;
    }
  };

  let state = 1;
  /** Mulberry32: the same steps for the same seed. */
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = (list) => list[Math.floor(random() * list.length)];
  const TEXTS = [
    'the cat sat on the mat',
    '猫追老鼠，因为它饿了。',
    '<img src=x onerror=alert(1)>',
    '',
    'a',
    '🙂👩‍👩‍👧 \u202e abc',
    '1, 2\n3, 4',
    '{"q": [[1, 2]], "__proto__": {"x": [[1]]}}',
    'NaN, Infinity',
    'word '.repeat(400),
  ];
  const KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter', ' ', 'Escape', 'PageDown'];
  const isSeen = (element) => element.checkVisibility?.() ?? element.getClientRects().length > 0;
  const nameOf = (element) =>
    `${element.localName}${element.type ? `[${element.type}]` : ''} "${(element.ariaLabel ?? element.textContent ?? '').trim().slice(0, 30)}"`;

  function fill(element, text) {
    element.value = text;
    element.dispatchEvent(new InputEvent('input', { bubbles: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return `${nameOf(element)} ← ${JSON.stringify(text.slice(0, 40))}`;
  }
  function giveFile(element) {
    const content = pick(['1,2\n3,4', 'nothing of the kind', '[[1,2],[3,4]]', '{"fovea":1}', '']);
    const file = new File([content], pick(['a.csv', 'b.json', 'c.npy', 'd.png', 'e.wav', 'f.txt', 'g.safetensors']));
    const transfer = new DataTransfer();
    transfer.items.add(file);
    element.files = transfer.files;
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return `${nameOf(element)} ← file ${file.name}`;
  }
  function slide(element) {
    const [least, most] = [Number(element.min || 0), Number(element.max || 100)];
    const step = Number(element.step) || 1;
    return fill(element, String(least + Math.round((random() * (most - least)) / step) * step));
  }
  function press(element) {
    element.focus();
    const key = pick(KEYS);
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, shiftKey: random() < 0.2 }));
    element.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true }));
    return `${nameOf(element)} key ${key}`;
  }
  function drag(element) {
    const box = element.getBoundingClientRect();
    const at = () => ({ clientX: box.left + random() * box.width, clientY: box.top + random() * box.height });
    const event = (type, where) =>
      element.dispatchEvent(
        new PointerEvent(type, {
          ...where,
          bubbles: true,
          cancelable: true,
          pointerId: 1,
          isPrimary: true,
          buttons: type === 'pointerup' ? 0 : 1,
        }),
      );
    const [from, to] = [at(), at()];
    event('pointerdown', from);
    event('pointermove', to);
    event('pointerup', to);
    element.dispatchEvent(new MouseEvent('click', { ...to, bubbles: true, cancelable: true }));
    return `${nameOf(element)} dragged`;
  }

  function turn() {
    const controls = [
      ...document.querySelectorAll(
        'main :is(input, select, textarea, button, summary, canvas, [tabindex="0"], a[href^="#"]), header :is(input, button, select, a[href^="#"])',
      ),
    ].filter(
      (element) => !element.disabled && (element.type === 'file' || isSeen(element)) && !element.closest('[data-left-alone]'),
    );
    const element = pick(controls);
    if (!element) return 'nothing to turn';
    if (element.type === 'file') return giveFile(element);
    if (element.type === 'range') return slide(element);
    if (element.type === 'number') return random() < 0.8 ? slide(element) : fill(element, pick(['', '-1', '1e9', '0.5']));
    if (element.localName === 'textarea' || (element.localName === 'input' && /text|search/.test(element.type)))
      return fill(element, pick(TEXTS));
    if (element.localName === 'select') return fill(element, pick([...element.options]).value);
    if (element.localName === 'canvas' || element.getAttribute('role') === 'application')
      return random() < 0.5 ? drag(element) : press(element);
    if (element.tabIndex === 0 && random() < 0.15) return press(element);
    element.click();
    return nameOf(element);
  }

  function go(pages) {
    const page = pick(pages);
    const broken = [
      '',
      '?s=1.AAAA',
      '?s=9.abc',
      '?s=1.',
      '?s=%%%',
      `?s=1.${'A'.repeat(5000)}`,
      '?lang=zh',
      '?lang=en',
      '?with=no,such',
    ];
    location.hash = `#/${page}${random() < 0.7 ? '' : pick(broken)}`;
    return `page ${location.hash.slice(0, 60)}`;
  }
  function elsewhere(pages) {
    const chance = random();
    if (chance < 0.5) return go(pages);
    if (chance < 0.7) return (history.back(), 'back');
    if (chance < 0.8) return (history.forward(), 'forward');
    if (chance < 0.9) {
      // A link of an older page: the present one with some of its letters changed.
      const at = Math.floor(random() * location.hash.length);
      location.hash = `${location.hash.slice(0, at)}${pick(['x', '%', '=', '&', ''])}${location.hash.slice(at + 1)}`;
      return `changed link ${location.hash.slice(0, 60)}`;
    }
    dispatchEvent(new Event(pick(['resize', 'blur', 'focus', 'pagehide', 'pageshow', 'offline', 'online'])));
    document.dispatchEvent(new Event('visibilitychange'));
    return 'an event of the window';
  }

  globalThis.visitor = {
    faults,
    wasm: () => memories.reduce((sum, memory) => sum + (memory.deref()?.buffer.byteLength ?? 0), 0),
    seed: (value) => (state = value | 0),
    step: (pages) => (random() < 0.12 ? elsewhere(pages) : turn()),
  };
})();
