
"use strict";
{
  const run = JSON.parse(document.getElementById("run").textContent);
  const last = run.moments.length - 1;
  const at = (id) => document.getElementById(id);
  let current = 0;

  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const drawn = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // Lines of a card, each with what it was before; lines that are gone come last.
  const compared = (before, after) => {
    const old = new Map(before ? before.lines : []);
    const rows = after.lines.map(([path, value]) => {
      const was = old.get(path);
      old.delete(path);
      return { path, value, was };
    });
    for (const [path, was] of old) rows.push({ path, was });
    return rows;
  };

  // Whether something happens at a node.
  const isActive = (moment, index) =>
    moment.hop?.kind === "arrived" ? moment.hop.to === index : moment.nodes.includes(index);

  const showStates = (moment, previous) => {
    at("states").replaceChildren(...moment.cards.map((card, index) => {
      const rows = compared(previous?.cards[index], card).map(({ path, value, was }) => {
        const row = element("div");
        if (path) row.append(element("dt", { textContent: path }));
        const content = element("dd");
        const changed = previous && was !== value;
        if (changed && was !== undefined) content.append(element("del", { textContent: was }));
        if (value !== undefined) {
          content.append(element(changed ? "ins" : "span", { textContent: value }));
        }
        if (changed) row.className = "changed";
        row.append(content);
        return row;
      });
      return element("div", { className: isActive(moment, index) ? "card now" : "card" },
        element("p", { className: "title", textContent: card.title }),
        element("dl", {}, ...rows));
    }));
  };

  const showPackets = (moment, previous) => {
    const line = ([from, to, message], className) => element("li", { className },
      message + " ",
      element("span", { className: "ends", textContent: `${run.nodes[from].name}→${run.nodes[to].name}` }));
    const gone = (previous ? previous.packets : []).map((packet) => JSON.stringify(packet));
    const lines = moment.packets.map((packet) => {
      const place = gone.indexOf(JSON.stringify(packet));
      if (place >= 0) gone.splice(place, 1);
      return line(packet, previous && place < 0 ? "added" : "");
    });
    lines.push(...gone.map((packet) => line(JSON.parse(packet), "removed")));
    if (lines.length === 0) lines.push(element("li", { className: "none", textContent: "nothing" }));
    at("packets").replaceChildren(...lines);
  };

  // Two nodes lie on a line, more on an ellipse.
  const count = run.nodes.length;
  const height = count > 2 ? Math.max(64, 12 * count) : 0;
  const width = count > 1 ? Math.max(120, 1.6 * height) : 0;
  const places = run.nodes.map((_, index) => {
    const angle = (count > 2 ? -Math.PI / 2 : Math.PI) + (2 * Math.PI * index) / count;
    return [width * Math.cos(angle), height * Math.sin(angle)];
  });
  const frame = [-width - 80, -height - 46, 2 * width + 160, 2 * height + 92];

  const between = (from, to, margin) => {
    const [[x1, y1], [x2, y2]] = [places[from], places[to]];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    return { x1: x1 + margin * dx, y1: y1 + margin * dy, x2: x2 - margin * dx, y2: y2 - margin * dy, dx, dy };
  };

  const crossAt = (x, y) => `M${x - 6} ${y - 6}l12 12m0 -12l-12 12`;

  const hopShapes = ({ kind, from, to }) => {
    if (from === to) {
      const [x, y] = places[from];
      return [drawn("circle", { class: `hop ${kind}`, cx: x, cy: y - 26, r: 13 })];
    }
    const { x1, y1, x2, y2, dx, dy } = between(from, to, 19);
    const share = kind === "lost" ? 0.6 : 1;
    const [x, y] = [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
    const line = drawn("line", { class: `hop ${kind}`, x1, y1, x2: x - 6 * dx, y2: y - 6 * dy });
    if (kind === "lost") {
      return [line, drawn("path", { class: "cross", d: crossAt(x, y) })];
    }
    const [bx, by] = [x - 13 * dx, y - 13 * dy];
    const points = `${x},${y} ${bx - 6 * dy},${by + 6 * dx} ${bx + 6 * dy},${by - 6 * dx}`;
    return [line, drawn("polygon", { class: `head ${kind}`, points })];
  };

  const showTopology = (moment) => {
    const picture = drawn("svg", { viewBox: frame.join(" "), role: "img", "aria-label": "nodes and links" });
    for (const [a, b] of run.links) {
      const ends = between(a, b, 16);
      const down = moment.down.some(([one, other]) => one === a && other === b);
      picture.append(drawn("line", { class: down ? "link down" : "link", ...ends }));
      if (down) {
        const [x, y] = [(ends.x1 + ends.x2) / 2, (ends.y1 + ends.y2) / 2];
        picture.append(drawn("path", { class: "cross", d: crossAt(x, y) }));
      }
    }
    for (const [from, to] of moment.packets) {
      if (from !== to) picture.append(drawn("line", { class: "waiting", ...between(from, to, 19) }));
    }
    if (moment.hop) picture.append(...hopShapes(moment.hop));
    run.nodes.forEach(({ name, role }, index) => {
      const [x, y] = places[index];
      const node = drawn("g", { class: isActive(moment, index) ? "node now" : "node" });
      const outside = 0 > y ? y - 24 : y + 32;
      node.append(drawn("circle", { cx: x, cy: y, r: 16 }), drawn("text", { x, y: y + 4 }, name),
        drawn("text", { class: "role", x, y: outside }, role.length > 22 ? role.slice(0, 21) + "…" : role));
      picture.append(node);
    });
    at("topology").replaceChildren(picture);
  };

  const panel = at("chart");
  const chart = document.querySelector("#chart svg");

  // The heads of the lifelines stay in sight when a long chart is scrolled.
  const heads = chart.querySelector(".heads");
  const box = heads.getBBox();
  const sheet = chart.viewBox.baseVal.width;
  const pinned = drawn("svg", { class: "chart", viewBox: `0 ${box.y - 5} ${sheet} ${box.height + 10}`, width: sheet });
  pinned.append(drawn("rect", { class: "paper", y: box.y - 6, width: sheet, height: box.height + 12 }), heads.cloneNode(true));
  const pin = element("div", { className: "pin", ariaHidden: "true", hidden: true }, pinned);
  panel.prepend(pin);
  panel.addEventListener("scroll", () => { pin.hidden = box.y > panel.scrollTop; });

  const showChart = () => {
    for (const part of chart.querySelectorAll("[data-step]")) {
      const step = Number(part.dataset.step);
      const sent = Number(part.dataset.sent ?? 0);
      part.classList.toggle("now", step === current);
      part.classList.toggle("later", sent > current);
      part.classList.toggle("waiting", step > current);
    }
    for (const part of chart.querySelectorAll(".bar, .state")) {
      part.classList.toggle("later", current !== last);
    }
    const row = chart.querySelector(`.row[data-step="${current}"]`).getBoundingClientRect();
    const { top, bottom } = panel.getBoundingClientRect();
    if (row.top < top + 60 || row.bottom > bottom - 60) {
      panel.scrollTop += row.top - top - panel.clientHeight / 2;
    }
  };

  const show = (step) => {
    current = Math.min(Math.max(step, 0), last);
    const moment = run.moments[current];
    const previous = run.moments[current - 1];
    at("sentence").textContent = moment.sentence;
    at("position").textContent = `step ${current} of ${last}`;
    at("slider").value = current;
    at("first").disabled = at("previous").disabled = current === 0;
    at("next").disabled = at("last").disabled = current === last;
    showStates(moment, previous);
    showPackets(moment, previous);
    showTopology(moment);
    document.documentElement.style.setProperty("--header", `${document.querySelector("header").offsetHeight}px`);
    showChart();
    history.replaceState(null, "", `#${current}`);
  };

  at("first").addEventListener("click", () => show(0));
  at("previous").addEventListener("click", () => show(current - 1));
  at("next").addEventListener("click", () => show(current + 1));
  at("last").addEventListener("click", () => show(last));
  at("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  const keys = { ArrowLeft: () => current - 1, ArrowRight: () => current + 1, Home: () => 0, End: () => last };
  document.addEventListener("keydown", (event) => {
    const target = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!target || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(target());
  });
  chart.addEventListener("click", (event) => {
    const part = event.target.closest("[data-step]");
    if (part) show(Number(part.dataset.step));
  });
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));
  addEventListener("resize", () => show(current));
  show(Number(location.hash.slice(1)) || 0);
}
