// The panel of the room: what is shown of it, its parts with their switches, and its state.

import { byId, el, iconButton, setText } from './dom.js';
import { Sections } from './sections.js';
import { markWaiting } from './waits.js';

export class RoomPanel {
  constructor(model, stage, orders) {
    Object.assign(this, { model, stage, orders });
    this.filter = '';
    this.build();
    model.on('scene', () => this.fill());
    model.on('layers', () => this.showLayers());
    model.on('inspect', (message) => message.who === null && this.state.update(message.sections));
    this.showLayers();
  }

  build() {
    const search = el('input', {
      type: 'search',
      id: 'room-filter',
      placeholder: 'filter names…',
      'aria-label': 'Filter names',
    });
    search.addEventListener('input', () => {
      this.filter = search.value.toLowerCase();
      this.fill();
    });
    this.groups = {
      areas: group('Areas', true),
      links: group('Links', true),
      waypaths: group('Waypaths', true),
      hotspots: group('Hotspots', true),
      obstacles: group('Obstacles'),
      points: group('Points'),
    };
    const state = el('div', { id: 'room-state' });
    this.state = new Sections(this.model, state);
    byId('panel-room').replaceChildren(
      this.makeLayers(),
      search,
      ...Object.values(this.groups).map(({ element }) => element),
      state,
    );
  }

  makeLayers() {
    this.choices = {
      names: this.makeCheck('names', 'Names'),
      cells: this.makeCheck('cells', 'Ground as searched for the selected character, else for the room'),
      paths: this.makeChoice('paths', 'Paths'),
      trails: this.makeChoice('trails', 'Trails'),
      views: this.makeChoice('views', 'Sight'),
    };
    return el(
      'section',
      { class: 'section layers' },
      el('h3', {}, 'Shown'),
      ...Object.values(this.choices).map(({ element }) => element),
    );
  }

  makeCheck(layer, title) {
    const toggle = makeSwitch(title, { data: { layer } }, () => this.model.setLayer(layer, !this.model.layers[layer]));
    return { element: line(title, toggle), show: (value) => toggle.setAttribute('aria-checked', String(value)) };
  }

  makeChoice(layer, title) {
    const buttons = ['none', 'selected', 'all'].map((value) =>
      el(
        'button',
        { type: 'button', data: { layer, value }, on: { click: () => this.model.setLayer(layer, value) } },
        value,
      ),
    );
    const element = line(title, el('div', { class: 'choice', role: 'group', 'aria-label': title }, ...buttons));
    const show = (value) => {
      for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.value === value));
    };
    return { element, show };
  }

  showLayers() {
    for (const [layer, choice] of Object.entries(this.choices)) choice.show(this.model.layers[layer]);
  }

  fill() {
    const makers = {
      areas: (area) => this.areaLine(area),
      links: (link) => this.linkLine(link),
      waypaths: (waypath) => this.waypathLine(waypath),
      hotspots: (hotspot) => this.hotspotLine(hotspot),
      obstacles: (obstacle) => line(obstacle.name, finder(obstacle.name, () => this.stage.showShape(obstacle))),
      points: (point) => this.pointLine(point),
    };
    for (const [part, make] of Object.entries(makers)) {
      fillGroup(this.groups[part], this.matching(this.model.scene?.[part] ?? []), make);
    }
    markWaiting(byId('panel-room'), this.model.whyWaits());
  }

  matching(list) {
    return list.filter(({ name }) => (name ?? '').toLowerCase().includes(this.filter));
  }

  areaLine(area) {
    const change = () => this.orders.send('setArea', { area: area.name, available: !area.open });
    return this.openLine(area, { area: area.name }, change, () => this.stage.showShape(area));
  }

  linkLine(link) {
    const change = () => this.orders.send('setLink', { link: link.name, available: !link.open });
    return this.openLine(
      link,
      { link: link.name },
      change,
      () => this.stage.showPlace(link.from, link.storey),
      wayOf(link),
    );
  }

  waypathLine(waypath) {
    const change = () => this.orders.send('setWaypath', { waypath: waypath.name, available: !waypath.open });
    const [first] = waypath.points;
    return this.openLine(
      waypath,
      { waypath: waypath.name },
      change,
      () => this.stage.showPlace(first.at, first.storey),
      `${waypath.points.length} waypoints`,
    );
  }

  hotspotLine(hotspot) {
    const change = () => this.orders.send('setHotspot', { hotspot: hotspot.name, enabled: !hotspot.enabled });
    const item = { name: hotspot.name, open: hotspot.enabled };
    return this.openLine(item, { hotspot: hotspot.name }, change, () => this.stage.showShape(hotspot), '', 'on', 'off');
  }

  openLine(item, data, change, show, more = '', open = 'open', closed = 'closed') {
    const toggle = makeSwitch(`${item.name} is ${open}`, { data: { ...data, now: '' } }, change);
    toggle.setAttribute('aria-checked', String(item.open));
    return line(
      item.name,
      el('span', { class: 'quiet' }, [item.open ? '' : closed, more].filter(Boolean).join(', ')),
      finder(item.name, show),
      toggle,
    );
  }

  pointLine(point) {
    const go = () => this.orders.send('click', { at: point.name });
    const walk = el(
      'button',
      {
        type: 'button',
        class: 'small',
        data: { point: point.name, now: '' },
        title: `The player clicks ${point.name}`,
        on: { click: go },
      },
      'go',
    );
    const at = point.at.map((value) => value.toFixed(2)).join(', ');
    return line(
      point.name,
      el('span', { class: 'quiet' }, at),
      finder(point.name, () => this.stage.showPlace(point.at, point.storey)),
      walk,
    );
  }
}

/** Where a link leads, if it is another storey, and what it costs. */
function wayOf({ storey, toStorey, cost }) {
  const costs = `costs ${cost.toFixed(1)} m`;
  return toStorey === storey ? costs : `to storey ${toStorey + 1}, ${costs}`;
}

function finder(name, show) {
  return iconButton('target', `Show ${name} on the map`, { class: 'bare', on: { click: show } });
}

function line(title, ...rest) {
  return el('div', { class: 'line' }, el('span', { class: 'title' }, title), ...rest);
}

function makeSwitch(title, attributes, change) {
  return el('button', {
    type: 'button',
    role: 'switch',
    class: 'switch',
    'aria-label': title,
    title,
    ...attributes,
    on: { click: change },
  });
}

function group(title, open = false) {
  const count = el('span', { class: 'count' });
  const list = el('div', {});
  const element = el(
    'details',
    { class: 'section', open },
    el('summary', {}, el('h3', {}, title), count),
    list,
  );
  return { element, list, count };
}

function fillGroup({ element, list, count }, items, make) {
  element.hidden = items.length === 0;
  setText(count, String(items.length));
  const focused = list.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  list.replaceChildren(...items.slice(0, 1000).map(make));
  // The switch that was just used keeps the focus.
  if (focused) [...list.querySelectorAll('button')].find((button) => keyOf(button) === focused)?.focus();
}

const keyOf = (button) => `${JSON.stringify(button.dataset)} ${button.title}`;
