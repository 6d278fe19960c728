
"use strict";
{
  const film = JSON.parse(document.getElementById("film").textContent);
  const at = (id) => document.getElementById(id);
  const canvas = at("screen");
  const pen = canvas.getContext("2d");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const palettes = {
    light: ["#2457c5", "#c2410c", "#0f766e", "#7c3aed", "#be185d", "#4d7c0f", "#0e7490", "#92400e"],
    dark: ["#7aa5ff", "#ff9d68", "#3ecfbe", "#b794ff", "#f472b6", "#a3e635", "#22d3ee", "#fbbf24"],
  };

  // A packet is called by its first word; each kind has a colour and can be hidden.
  const kindOf = (message) => message.match(/^[^\s({]+/)?.[0] ?? "packet";
  const kinds = [...new Set(film.flights.map((flight) => kindOf(flight.message)))].sort();
  for (const flight of film.flights) flight.kind = kinds.indexOf(kindOf(flight.message));
  const hidden = new Set(kinds.flatMap((kind, index) => kind.toUpperCase() === "HELLO" ? [index] : []));
  const colour = (kind) => palettes[dark.matches ? "dark" : "light"][kind % 8];

  // Where nodes are: moves by node, in the order of time; else where they are drawn, or a ring.
  const ways = film.nodes.map(() => []);
  for (const move of film.moves) ways[move.node].push(move);
  const placed = film.moves.length > 0;
  const count = film.nodes.length;
  const position = (node, time) => {
    const way = ways[node];
    if (way.length === 0 && film.places.length > 0) return film.places[node];
    if (way.length === 0) {
      const angle = 2 * Math.PI * (node / count - 0.25);
      return [Math.cos(angle), -Math.sin(angle)];
    }
    let [low, high] = [0, way.length - 1];
    while (high > low) {
      const middle = (low + high + 1) >> 1;
      if (way[middle].time[0] > time) high = middle - 1; else low = middle;
    }
    const { time: [begin, end], from, to } = way[low];
    const share = time >= end ? 1 : Math.max(0, (time - begin) / (end - begin));
    return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
  };
  const drawn = film.places.length > 0 ? film.places : [[-1, -1], [1, 1]];
  const corners = placed ? film.moves.flatMap(({ from, to }) => [from, to]) : drawn;
  const edge = (pick, axis) => corners.reduce((most, corner) => pick(most, corner[axis]), corners[0][axis]);
  const [left, right, bottom, top] = [edge(Math.min, 0), edge(Math.max, 0), edge(Math.min, 1), edge(Math.max, 1)];

  let now = 0;
  let playing = false;
  let speed = Number(at("speed").value);
  let scale = 1;
  let origin = [0, 0];

  const fit = () => {
    const across = canvas.clientWidth;
    const ratio = Math.min(Math.max((top - bottom) / Math.max(right - left, 1e-9), 0.35), 0.9);
    const high = Math.round(Math.min(across * ratio, 620));
    const dots = devicePixelRatio || 1;
    [canvas.width, canvas.height] = [across * dots, high * dots];
    canvas.style.height = `${high}px`;
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    const margin = 26;
    scale = Math.min((across - 2 * margin) / Math.max(right - left, 1e-9), (high - 2 * margin) / Math.max(top - bottom, 1e-9));
    origin = [(across - scale * (right - left)) / 2 - scale * left, (high + scale * (top - bottom)) / 2 + scale * bottom];
  };
  const onScreen = ([x, y]) => [origin[0] + scale * x, origin[1] - scale * y];

  const drawLinks = (places, places2) => {
    pen.strokeStyle = dark.matches ? "#333a49" : "#d5d9e2";
    pen.lineWidth = 1;
    pen.beginPath();
    const line = (a, b) => { pen.moveTo(...places[a]); pen.lineTo(...places[b]); };
    if (film.range === null) {
      for (const [a, b] of film.links) line(a, b);
    } else {
      for (let a = 0; a < count; a += 1) {
        for (let b = a + 1; b < count; b += 1) {
          const [dx, dy] = [places2[a][0] - places2[b][0], places2[a][1] - places2[b][1]];
          if (dx * dx + dy * dy <= film.range * film.range) line(a, b);
        }
      }
    }
    pen.stroke();
  };

  // A packet is seen for at least a third of a second, however fast it flies.
  const seen = () => 0.35 * speed;
  const longest = film.flights.reduce((most, { time: [begin, end] }) => Math.max(most, end - begin), 0);
  const flyingAt = (time) => {
    const shown = [];
    let [low, high] = [0, film.flights.length];
    while (high > low) {
      const middle = (low + high) >> 1;
      if (film.flights[middle].time[1] < time - seen()) low = middle + 1; else high = middle;
    }
    for (let place = low; place < film.flights.length; place += 1) {
      const flight = film.flights[place];
      const [begin, end] = flight.time;
      if (end > time + longest) break;
      const until = Math.max(end, begin + seen());
      if (begin <= time && time <= until && !hidden.has(flight.kind)) {
        shown.push([flight, (time - begin) / Math.max(until - begin, 1e-12)]);
      }
    }
    return shown;
  };

  const drawFlight = (flight, share, places) => {
    const [[x1, y1], [x2, y2]] = [places[flight.from], places[flight.to]];
    const reach = flight.lost ? 0.6 * share : share;
    const [x, y] = [x1 + (x2 - x1) * reach, y1 + (y2 - y1) * reach];
    pen.strokeStyle = pen.fillStyle = colour(flight.kind);
    pen.globalAlpha = 0.55;
    pen.lineWidth = 2;
    pen.setLineDash(flight.lost ? [6, 4] : []);
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x, y);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    pen.beginPath();
    if (flight.lost && share > 0.9) {
      pen.moveTo(x - 5, y - 5); pen.lineTo(x + 5, y + 5); pen.moveTo(x + 5, y - 5); pen.lineTo(x - 5, y + 5);
      pen.stroke();
    } else {
      pen.arc(x, y, 4, 0, 2 * Math.PI);
      pen.fill();
    }
  };

  const drawNodes = (places, busy) => {
    const radius = count > 60 ? 8 : 11;
    pen.font = `${count > 60 ? 9 : 11}px ui-monospace, "DejaVu Sans Mono", monospace`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    places.forEach(([x, y], node) => {
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.fillStyle = busy.has(node) ? (dark.matches ? "#3d3716" : "#fff3c4") : (dark.matches ? "#222b42" : "#e8edf8");
      pen.strokeStyle = dark.matches ? "#6f83b8" : "#6b7fae";
      pen.lineWidth = 1.2;
      pen.fill();
      pen.stroke();
      pen.fillStyle = dark.matches ? "#e4e7ee" : "#1f2430";
      pen.fillText(film.nodes[node].name, x, y + 0.5);
    });
  };

  const showList = (flying) => {
    const lines = flying.slice(0, 40).map(([flight]) => {
      const line = document.createElement("li");
      line.textContent = flight.message + (flight.lost ? " lost " : " ");
      const ends = document.createElement("span");
      ends.className = "ends";
      ends.textContent = `${film.nodes[flight.from].name}→${film.nodes[flight.to].name}`;
      line.append(ends);
      return line;
    });
    if (lines.length === 0) {
      const line = document.createElement("li");
      line.className = "none";
      line.textContent = now > film.flights_until ? "not recorded any more" : "nothing";
      lines.push(line);
    }
    at("flying").replaceChildren(...lines);
  };

  const show = (time) => {
    now = Math.min(Math.max(time, 0), film.end);
    const metres = film.nodes.map((_, node) => position(node, now));
    const places = metres.map(onScreen);
    pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    drawLinks(places, metres);
    const flying = flyingAt(now);
    for (const [flight, share] of flying) drawFlight(flight, share, places);
    drawNodes(places, new Set(flying.map(([flight]) => flight.from)));
    showList(flying);
    at("clock").textContent = `${now.toFixed(4)} s`;
    at("time").value = film.end > 0 ? (1000 * now) / film.end : 0;
    document.body.dataset.flying = flying.length;
  };

  let before = null;
  const tick = (moment) => {
    if (!playing) return;
    if (before !== null) show(now + (speed * (moment - before)) / 1000);
    before = moment;
    if (now >= film.end) play(false); else requestAnimationFrame(tick);
  };
  const play = (on) => {
    playing = on;
    before = null;
    at("play").textContent = on ? "Pause" : "Play";
    if (on) {
      if (now >= film.end) now = 0;
      requestAnimationFrame(tick);
    }
  };
  const step = (forwards) => {
    play(false);
    const visible = film.flights.filter((flight) => !hidden.has(flight.kind)).map((flight) => flight.time[0]);
    const times = visible.filter((time) => forwards ? time > now + 1e-9 : now - 1e-9 > time);
    if (times.length > 0) show(times.reduce((best, time) => forwards === (time > best) ? best : time));
  };

  at("play").addEventListener("click", () => play(!playing));
  at("back").addEventListener("click", () => step(false));
  at("on").addEventListener("click", () => step(true));
  at("time").addEventListener("input", (event) => { play(false); show((film.end * Number(event.target.value)) / 1000); });
  at("speed").addEventListener("change", (event) => { speed = Number(event.target.value); show(now); });
  kinds.forEach((kind, index) => {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: !hidden.has(index) });
    const dot = document.createElement("i");
    dot.style.background = colour(index);
    label.append(box, dot, kind);
    box.addEventListener("change", () => { if (box.checked) hidden.delete(index); else hidden.add(index); show(now); });
    at("kinds").append(label);
  });
  dark.addEventListener("change", () => show(now));
  addEventListener("resize", () => { fit(); show(now); });
  // What was looked at can be passed on as a link.
  const linked = Number(location.hash.slice(1));
  fit();
  show(Number.isFinite(linked) ? linked : 0);
}
