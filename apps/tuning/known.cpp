#include "known.hpp"

#include "forms.hpp"
#include "io/numbers.hpp"
#include "jobs/attempt.hpp"

namespace lookback::app {

tuned_call call_of(job const& of) { return {of.command, of.manner(), dispatch::name_of(of.items().type), of.items().n}; }

std::string device_of(runner const& on) { return on.where == back_end::gpu ? on.device : this_processor(); }

known_tuning entry_of(tuned_choice const& by, runner const& on, job const& of) {
  known_tuning made;
  made.back_end = dispatch::name_of(on.where), made.device = device_of(on), made.version = lookback::version;
  made.call = call_of(of);
  if (!dispatch::is_default(by.how)) made.strategy = dispatch::name_of(by.how);
  if (on.where == back_end::cpu) {
    made.threads = by.threads;
    made.tile_bytes = by.sizes.tile_bytes, made.stream_above_bytes = by.sizes.stream_above_bytes;
    made.simd = tunings::simd_names[by.sizes.simd];
  } else if (by.form) {
    auto const& sizes = by.form->sizes;
    made.threads = sizes.threads, made.bytes_per_thread = sizes.bytes_per_thread;
    made.slots = sizes.slots, made.blocks = sizes.blocks;
    made.network = sizes.network, made.loads = sizes.loads;
    if (sizes.bytes_per_thread / 16 % 2 == 0) made.strides = "any_strides";
  }
  return made;
}

std::string words_of(known_tuning const& entry) {
  std::string text;
  auto const add = [&](std::string const& part) { text += (text.empty() ? "" : ", ") + part; };
  if (entry.back_end == "gpu" && entry.threads > 0) add(gpu_type(entry));
  if (entry.back_end == "cpu") {
    if (entry.threads > 0) add(text_of(entry.threads) + (entry.threads == 1 ? " thread" : " threads"));
    if (entry.tile_bytes > 0) add("tiles of " + text_of(entry.tile_bytes) + " bytes");
    if (entry.stream_above_bytes == 1) add("always streaming stores");
    else if (entry.stream_above_bytes >= std::int64_t{1} << 62) add("never streaming stores");
    else if (entry.stream_above_bytes > 0) add("streaming stores above " + text_of(entry.stream_above_bytes) + " bytes");
    if (!entry.simd.empty()) add("SIMD at most " + entry.simd);
  }
  if (!entry.strategy.empty()) add(entry.strategy);
  return text.empty() ? "the library's own sizes" : text;
}

namespace {

/// The tunings of the file, read once. One that cannot be read stops nobody: it is told, and passed over.
tunings const& of_this_user() {
  static tunings const known = [] {
    tunings made;
    if (auto const why = attempt([&] { made = tunings::of_this_user(); }); !why.empty()) note(why + ": no tuning is used");
    return made;
  }();
  return known;
}

/// Why an entry that is for the call is not for this run: another device or version. Called where there is none for this one.
void tell_of_others(known_tuning const& expected) {
  for (auto const& one : of_this_user().entries) {
    if (one.back_end != expected.back_end || !tunings::is_for(one, expected.call)) continue;
    bool const device = one.device != expected.device;
    note("the tuning of " + one.call.command + " for " + one.call.type + " is of " +
         (device ? one.device : "version " + one.version) + ", not of " +
         (device ? expected.device : "version " + expected.version) + ": passed over (lookback tune makes one)");
    return;
  }
}

dispatch::tuned_form const* form_of(known_tuning const& entry, dispatch::tuned_forms const& all) {
  for (std::size_t k = 0; k < all.count; ++k) {
    auto const& sizes = all.forms[k].sizes;
    if (sizes.threads == entry.threads && sizes.bytes_per_thread == entry.bytes_per_thread && sizes.slots == entry.slots &&
        sizes.blocks == entry.blocks && entry.network == sizes.network && entry.loads == sizes.loads)
      return &all.forms[k];
  }
  return nullptr;
}

}  // namespace

std::optional<applied_tuning> known_for(job const& of, runner const& on, common_options const& common) {
  if (common.no_tuning || common.reproducible || !common.strategy.empty() || of_this_user().entries.empty()) return {};
  auto expected = entry_of({}, on, of);
  if (on.where == back_end::cpu) expected.call.threads = common.threads;
  auto const* const entry = of_this_user().find(expected.back_end, expected.device, expected.call);
  if (!entry) {
    tell_of_others(expected);
    return {};
  }
  if (entry->is_default()) return {};
  applied_tuning made{*entry, {}};
  auto const pass_over = [&](std::string const& why) {
    note("the tuning of " + of.command + " for " + expected.call.type + " (" + words_of(*entry) + ") is passed over: " + why);
    return std::nullopt;
  };
  if (!entry->strategy.empty()) {
    std::string const why = attempt([&] { made.by.how = strategy_named(entry->strategy); });
    if (!why.empty()) return pass_over(why);
    if (!of.offers(on.where, made.by.how)) return pass_over("this build has no " + entry->strategy + " for it");
  }
  if (on.where == back_end::cpu) {
    made.entry.threads = std::min<std::int64_t>(entry->threads, worker_threads(0));
    made.by.threads = static_cast<int>(made.entry.threads);
    made.by.sizes = {entry->tile_bytes, entry->stream_above_bytes, tunings::simd_level(entry->simd)};
  } else if (entry->threads > 0) {
    if (common.explain) return pass_over("explain tells of the library's own sizes");
    auto const compiled = forms_of(of.command, of.items().type, on.device_number);
    made.by.form = compiled.of ? form_of(*entry, *compiled.of) : nullptr;
    if (!made.by.form) return pass_over(compiled.of ? "lookback_tunings has no such configuration" : compiled.why_none);
  }
  return made;
}

}  // namespace lookback::app
