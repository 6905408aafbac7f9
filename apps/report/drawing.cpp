#include "drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "markup.hpp"
#include "printable.hpp"
#include "table.hpp"

namespace lookback::app {

namespace {

// In units of the font's size, of DejaVu Sans: no usual sans serif is wider.
double letter_width(std::string_view letter) {
  if (letter.size() > 1) return letter == "\u2026" ? 1.0 : letter == "\u00d7" ? 0.84 : letter == "\u2013" ? 0.5 : 1.0;
  constexpr double small[] = {.62, .64, .55, .64, .62, .36, .64, .64, .28, .28, .58, .28, .98,
                              .64, .62, .64, .64, .42, .53, .40, .64, .60, .82, .60, .60, .53};
  char const c = letter[0];
  if (c >= 'a' && c <= 'z') return small[c - 'a'];
  constexpr std::string_view thin = "|.,:;'!I ", slim = "-()[]{}/\\\"", broad = "@%MW+=<>#~";
  if (thin.find(c) != thin.npos) return 0.34;
  if (slim.find(c) != slim.npos) return 0.43;
  if (broad.find(c) != broad.npos) return 0.98;
  return c >= 'A' && c <= 'Z' ? 0.76 : 0.64;
}

std::string attribute(std::string_view name, std::string_view value) {
  if (value.empty()) return {};
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

std::string ended(std::string_view element, std::string_view tip) {
  if (tip.empty()) return "/>\n";
  return "><title>" + markup_text(tip) + "</title></" + std::string(element) + ">\n";
}

constexpr double exponent_size = 0.75;

}  // namespace

std::string coordinate(double value) {
  auto text = fixed_text(value, 1);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text, double font) {
  double width = 0;
  while (!text.empty()) {
    auto const length = std::max<std::size_t>(utf8_character(text), 1);
    width += letter_width(text.substr(0, length));
    text.remove_prefix(length);
  }
  return width * font;
}

double label_width(tick_label const& label, double font) {
  return text_width(label.text, font) + text_width(label.exponent, exponent_size * font);
}

std::string shortened(std::string_view text, double font, double room) {
  if (text_width(text, font) <= room) return std::string(text);
  double left = room - text_width("\u2026", font);
  std::size_t kept = 0;
  while (kept < text.size()) {
    auto const length = std::max<std::size_t>(utf8_character(text.substr(kept)), 1);
    left -= text_width(text.substr(kept, length), font);
    if (left < 0) break;
    kept += length;
  }
  return std::string(text.substr(0, kept)) + "\u2026";
}

std::vector<tick> ticks_with_room(scale how, interval of, int most, double room, double font) {
  for (;; --most) {
    auto made = ticks_of(how, of, most);
    double widest = 0;
    for (auto const& one : made) widest = std::max(widest, label_width(one.label, font) + font);
    if (most == 1 || widest * static_cast<double>(made.size()) <= room) return made;
  }
}

std::string colour_classes(std::size_t i) {
  constexpr std::size_t colours = 7;
  return "c" + std::to_string(i % colours + 1) + (i / colours % 2 == 1 ? " again" : "");
}

drawing& drawing::open(std::string_view classes) {
  body_ += "<g" + attribute("class", classes) + ">\n";
  return *this;
}
drawing& drawing::close() {
  body_ += "</g>\n";
  return *this;
}

drawing& drawing::line(double x1, double y1, double x2, double y2, std::string_view classes) {
  body_ += "<line" + attribute("class", classes) + attribute("x1", coordinate(x1)) + attribute("y1", coordinate(y1)) +
           attribute("x2", coordinate(x2)) + attribute("y2", coordinate(y2)) + "/>\n";
  return *this;
}

drawing& drawing::path(std::string_view path, std::string_view classes, std::string_view tip) {
  body_ += "<path" + attribute("class", classes) + attribute("d", path) + ended("path", tip);
  return *this;
}

drawing& drawing::box(double x, double y, double width, double height, std::string_view classes, std::string_view tip) {
  body_ += "<rect" + attribute("class", classes) + attribute("x", coordinate(x)) + attribute("y", coordinate(y)) +
           attribute("width", coordinate(width)) + attribute("height", coordinate(height)) + ended("rect", tip);
  return *this;
}

drawing& drawing::text(double x, double y, anchor at, tick_label const& label, std::string_view classes) {
  constexpr std::string_view anchors[] = {"", "middle", "end"};
  // The baseline is a third of the size below the middle: renderers disagree on dominant-baseline.
  body_ += "<text" + attribute("class", classes) + attribute("x", coordinate(x)) +
           attribute("y", coordinate(y + 0.35 * how_.font)) + attribute("text-anchor", anchors[static_cast<int>(at)]) + ">" +
           markup_text(label.text);
  if (!label.exponent.empty())
    body_ += "<tspan dy=\"-0.5em\"" + attribute("font-size", coordinate(exponent_size * how_.font)) + ">" +
             markup_text(label.exponent) + "</tspan>";
  body_ += "</text>\n";
  return *this;
}

drawing& drawing::marker(std::size_t i, double x, double y, std::string_view classes, std::string_view tip) {
  double const r = how_.marker;
  auto const corners = [&](std::initializer_list<std::pair<double, double>> steps) {
    std::string made;
    for (auto const& [dx, dy] : steps) made += (made.empty() ? "M" : "L") + coordinate(x + dx * r) + " " + coordinate(y + dy * r);
    return made + "Z";
  };
  auto const circle = [&] {
    auto const size = coordinate(r), across = coordinate(2 * r);
    auto const arc = "a" + size + " " + size + " 0 1 0 ";
    return "M" + coordinate(x - r) + " " + coordinate(y) + arc + across + " 0" + arc + "-" + across + " 0Z";
  };
  auto const stroke = [&](double dx, double dy) {
    return "M" + coordinate(x - dx * r) + " " + coordinate(y - dy * r) + "L" + coordinate(x + dx * r) + " " +
           coordinate(y + dy * r);
  };
  auto const square = [&] { return corners({{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}}); };
  auto const diamond = [&] { return corners({{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}}); };
  constexpr std::size_t shapes = 10, filled = 5;
  auto const shape = i % shapes;
  std::string const all = std::string(shape < filled ? "dot " : "ring ") + std::string(classes);
  switch (shape) {
    case 0:
      return path(circle(), all, tip);
    case 1:
      return path(square(), all, tip);
    case 2:
      return path(corners({{0, -1.2}, {1.15, .9}, {-1.15, .9}}), all, tip);
    case 3:
      return path(diamond(), all, tip);
    case 4:
      return path(corners({{0, 1.2}, {1.15, -.9}, {-1.15, -.9}}), all, tip);
    case 5:
      return path(circle(), all, tip);
    case 6:
      return path(stroke(1, 1) + stroke(1, -1), all, tip);
    case 7:
      return path(square(), all, tip);
    case 8:
      return path(stroke(1.2, 0) + stroke(0, 1.2), all, tip);
    default:
      return path(diamond(), all, tip);
  }
}

std::string drawing::finish(double height, std::string_view title) const {
  return "<svg" + attribute("class", "chart " + std::string(how_.name)) +
         attribute("viewBox", "0 0 " + coordinate(how_.width) + " " + coordinate(std::ceil(height))) +
         attribute("font-size", coordinate(how_.font)) + attribute("role", "img") + attribute("aria-label", markup_text(title)) +
         ">\n<title>" + markup_text(title) + "</title>\n" + body_ + "</svg>\n";
}

}  // namespace lookback::app
